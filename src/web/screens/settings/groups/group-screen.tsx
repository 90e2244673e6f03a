import { ArrowLeft, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { changedPlaces } from '../../../../shared/changes.ts'
import type { PlannedChange } from '../../../../shared/contract/explain.ts'
import type { Group } from '../../../../shared/contract/groups.ts'
import { ROOT } from '../../../../shared/file-path.ts'
import { Link, Navigate, useLocation, useNavigate } from '../../../router/router.tsx'
import { useChangeGroup, useGroups, useRemoveGroup } from '../../../data/groups.ts'
import { notify } from '../../../data/notices.ts'
import { pageConfig } from '../../../data/page-config.ts'
import { ask } from '../../../data/prompts.ts'
import { useSettings } from '../../../data/settings.ts'
import { useFocusWhenMade } from '../../../data/use-focus-when-made.ts'
import { useUnsavedGuard } from '../../../data/unsaved.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { Failure, failureKind } from '../../../widgets/failure.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import { PermissionFields } from '../../../widgets/permission-fields.tsx'
import { RulesEditor } from '../../../widgets/rules-editor.tsx'
import { unsavedQuestion } from '../confirmations.ts'
import { EffectText } from '../effect/effect-text.tsx'
import frame from '../form.module.css'
import { issueAt, issuesElsewhere, issuesIn } from '../issues.ts'
import { SaveBar } from '../save-bar.tsx'
import { useScopePaths } from '../scope-paths.ts'
import { QuotaSection } from '../quotas/quota-section.tsx'
import { Section } from '../section.tsx'
import styles from '../users/user-form.module.css'
import { GrantsCard } from './grants-card.tsx'
import { MembersCard } from './members-card.tsx'

const PLACE = '/settings/groups/'
const FIELDS = ['name', 'username', 'rules']

/** One group: its name, rights, members, folders and rules. */
export function GroupScreen() {
  const { pathname } = useLocation()
  const { data: groups, error, refetch, isFetching } = useGroups()
  if (groups === undefined) {
    if (error !== null) return <Failure kind={failureKind(error)} error={error} onRetry={() => void refetch()} />
    return <Loading height="200px" size={24} tone="faint" />
  }
  const group = groups.find(({ id }) => String(id) === pathname.slice(PLACE.length))
  // One that has just been made may not have arrived yet.
  if (group === undefined && isFetching) return <Loading height="200px" size={24} tone="faint" />
  // It has just been deleted, perhaps by somebody else.
  if (group === undefined) return <Navigate to="/settings/groups" replace />
  return <GroupForm key={group.id} group={group} />
}

type Draft = Pick<Group, 'name' | 'perm' | 'rules'>

function draftOf({ name, perm, rules }: Group): Draft {
  return { name, perm, rules }
}

/** What the unsaved edits would change for the members; null if nothing. */
function plannedFor(id: number, base: Draft, { perm, rules }: Draft): PlannedChange | null {
  const isChanged = changedPlaces({ perm: base.perm, rules: base.rules }, { perm, rules }).length > 0
  return isChanged ? { what: 'group', id, perm, rules } : null
}

function GroupForm({ group }: { group: Group }) {
  const [base, setBase] = useState(() => draftOf(group))
  const [draft, setDraft] = useState(base)
  const settings = useSettings()
  const { paths, choose } = useScopePaths(ROOT)
  const save = useChangeGroup()
  const heading = useFocusWhenMade()
  const changes = changedPlaces(base, draft).length
  const letGo = useUnsavedGuard(changes > 0, unsavedQuestion())
  const issues = issuesIn(save.error)
  const show = (next: Draft) => {
    setBase(next)
    setDraft(next)
  }
  // Changes of others are shown unless there are unsaved edits here.
  const saved = draftOf(group)
  if (changes === 0 && !save.isPending && changedPlaces(base, saved).length > 0) show(saved)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending || changes === 0) return
    save.mutate(
      { id: group.id, ...draft, name: draft.name.trim() },
      {
        onSuccess(changed) {
          if (changed === null) return
          show(draftOf(changed))
          notify({ tone: 'success', text: t('group.saved') })
        },
      },
    )
  }
  const elsewhere = issuesElsewhere(issues, FIELDS)
  const planned = plannedFor(group.id, base, draft)
  const name = displayName(base.name)
  return (
    <form className={frame.form} onSubmit={submit} noValidate autoComplete="off" aria-label={name} data-part="group">
      <div className={styles.head}>
        <Link to="/settings/groups" className={styles.back}>
          <ArrowLeft size={17} strokeWidth={1.75} className="mirror" aria-hidden />
          {t('group.back')}
        </Link>
        <h2 {...heading} className="text-heading">
          <bdi>{name}</bdi>
        </h2>
      </div>
      <div className={frame.sections}>
        <Section title={t('groups.members')}>
          <MembersCard group={group.id} />
        </Section>
        <Section title={t('grants.title')} text={t('grants.text')}>
          <GrantsCard who={{ kind: 'group', id: group.id }} />
        </Section>
        <QuotaSection who={{ kind: 'group', id: group.id }} />
        <Section title={t('user.permissions')} text={t('group.rights.text')}>
          <TextField
            label={t('groups.name')}
            value={draft.name}
            error={issueAt(issues, 'name') ?? issueAt(issues, 'username')}
            onValue={(next) => setDraft({ ...draft, name: next })}
          />
          <PermissionFields perm={draft.perm} execution={pageConfig.EnableExec} onPerm={(perm) => setDraft({ ...draft, perm })} />
        </Section>
        <Section title={t('user.rules')} text={t('group.rules.text')}>
          <RulesEditor
            rules={draft.rules}
            earlier={settings.rules ?? []}
            subject={name}
            paths={paths}
            onChoose={choose}
            onRules={(rules) => setDraft({ ...draft, rules })}
          />
          <div role="alert">{issueAt(issues, 'rules') !== null && <FieldMessage tone="error" text={issueAt(issues, 'rules') ?? ''} />}</div>
        </Section>
      </div>
      {elsewhere.length > 0 && <FieldMessage tone="error" text={t('form.refused', { reason: elsewhere.join('; ') })} />}
      <Removal group={group} name={name} onRemove={letGo} />
      <EffectText change={planned} />
      <SaveBar
        changes={changes}
        label={t('group.save')}
        busy={save.isPending}
        isNew={false}
        onDiscard={() => {
          save.reset()
          setDraft(base)
        }}
      />
    </form>
  )
}

function Removal({ group: { id }, name, onRemove }: { group: Group; name: string; onRemove: () => void }) {
  const remove = useRemoveGroup()
  const navigate = useNavigate()
  const removeIt = async () => {
    const texts = { title: t('group.delete.title', { name }), text: t('group.delete.text'), confirmLabel: t('group.delete') }
    if ((await ask('confirm', { ...texts, danger: true })) === null) return
    // The page leaves by itself when the group is gone, before this goes on.
    const isGone = await remove.mutateAsync({ id }).catch(() => null)
    if (isGone === null) return
    notify({ tone: 'success', text: t('group.deleted') })
    onRemove()
    void navigate('/settings/groups')
  }
  return (
    <div className={styles.danger}>
      <p className={styles.dangerText}>{t('group.delete.text')}</p>
      <Button
        label={t('group.delete')}
        variant="danger"
        icon={Trash2}
        iconSize={17}
        busy={remove.isPending}
        onClick={() => void removeIt()}
      />
    </div>
  )
}
