import { ArrowLeft } from 'lucide-react'
import type { FormEvent, ReactNode } from 'react'
import { Link } from '../../../router/router.tsx'
import type { PlannedChange } from '../../../../shared/contract/explain.ts'
import type { Settings } from '../../../../shared/contract/settings.ts'
import { pageConfig } from '../../../data/page-config.ts'
import { useFocusWhenMade } from '../../../data/use-focus-when-made.ts'
import { t } from '../../../i18n/i18n.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { fieldsOf } from '../../../widgets/form-fields.ts'
import { PermissionFields } from '../../../widgets/permission-fields.tsx'
import { RulesEditor } from '../../../widgets/rules-editor.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { EffectText } from '../effect/effect-text.tsx'
import frame from '../form.module.css'
import { issueAt, issuesElsewhere } from '../issues.ts'
import { useScopePaths } from '../scope-paths.ts'
import { SaveBar } from '../save-bar.tsx'
import { Section } from '../section.tsx'
import { AccountFields, type AccountFieldsProps } from './account-fields.tsx'
import { type UserDraft, withPermissions } from '../../../widgets/user-draft.ts'
import styles from './user-form.module.css'

const FIELDS = ['username', 'password', 'address', 'scope', 'perm', 'commands', 'rules']

export interface UserFormProps extends Pick<AccountFieldsProps, 'invitation' | 'onInvitation'> {
  title: string
  draft: UserDraft
  settings: Settings
  /** Saved scope; null for a new user. */
  savedScope: string | null
  /** Validation errors of the server, with their fields. */
  issues: readonly string[]
  changes: number
  busy: boolean
  onDraft: (draft: UserDraft) => void
  onDiscard: () => void
  onSubmit: () => void
  /** More sections of an existing user, which are saved on their own. */
  sections?: ReactNode
  /** What the unsaved edits would change for the user; null if nothing. */
  effect?: PlannedChange | null
  /** Actions for an existing user. */
  children?: ReactNode
}

/** Account, permissions, scope and rules of a user. */
export function UserForm(props: UserFormProps) {
  const {
    title,
    draft,
    settings,
    savedScope,
    issues,
    changes,
    busy,
    onDraft,
    onDiscard,
    onSubmit,
    invitation,
    onInvitation,
    sections,
    effect = null,
    children,
  } = props
  const isNew = draft.id === 0
  const heading = useFocusWhenMade()
  const { paths, choose } = useScopePaths(savedScope)
  const { value } = fieldsOf(draft, onDraft, (name) => issueAt(issues, name))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy && changes > 0) onSubmit()
  }
  const elsewhere = issuesElsewhere(issues, FIELDS)
  return (
    <form className={frame.form} onSubmit={submit} noValidate autoComplete="off" aria-label={title} data-part="user">
      <div className={styles.head}>
        <Link to="/settings/users" className={styles.back}>
          <ArrowLeft size={17} strokeWidth={1.75} className="mirror" aria-hidden />
          {t('user.back')}
        </Link>
        <h2 {...heading} className="text-heading">
          {title}
        </h2>
      </div>
      <div className={frame.sections}>
        <Section title={t('user.account')}>
          <AccountFields
            draft={draft}
            settings={settings}
            issues={issues}
            onChange={onDraft}
            invitation={invitation}
            onInvitation={onInvitation}
          />
        </Section>
        <Section title={t('user.permissions')}>
          <PermissionFields perm={draft.perm} execution={pageConfig.EnableExec} onPerm={(perm) => onDraft(withPermissions(draft, perm))} />
          <Refusal text={issueAt(issues, 'perm')} />
          {pageConfig.EnableExec && (
            <TextField label={t('user.commands')} verbatim hint={t('user.commands.hint')} dir="ltr" {...value('commands')} />
          )}
        </Section>
        <Section title={t('user.rules')} text={t('user.rules.text')}>
          <RulesEditor
            rules={draft.rules}
            earlier={settings.rules ?? []}
            subject={draft.username.trim() === '' ? t('user.new.name') : displayName(draft.username.trim())}
            paths={paths}
            onChoose={choose}
            onRules={value('rules').onValue}
          />
          <Refusal text={issueAt(issues, 'rules')} />
        </Section>
        {sections}
      </div>
      {elsewhere.length > 0 && <Refusal text={t('form.refused', { reason: elsewhere.join('; ') })} />}
      {children}
      <EffectText change={effect} />
      <SaveBar changes={changes} label={isNew ? t('user.create') : t('user.save')} busy={busy} isNew={isNew} onDiscard={onDiscard} />
    </form>
  )
}

function Refusal({ text }: { text: string | null }) {
  return <div role="alert">{text !== null && <FieldMessage tone="error" text={text} />}</div>
}
