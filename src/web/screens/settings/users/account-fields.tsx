import type { Settings } from '../../../../shared/contract/settings.ts'
import { t } from '../../../i18n/i18n.tsx'
import { passwordHint } from '../../../widgets/new-password.ts'
import { PasswordField } from '../../../widgets/password-field.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { fieldsOf } from '../../../widgets/form-fields.ts'
import { LanguageSelect } from '../../../widgets/language-select.tsx'
import { issueAt } from '../issues.ts'
import type { UserDraft } from '../../../widgets/user-draft.ts'
import { type Invitation, InvitationFields } from './invitation-fields.tsx'
import { ScopeFields } from './scope-fields.tsx'
import styles from './user-form.module.css'

export interface AccountFieldsProps {
  draft: UserDraft
  settings: Settings
  issues: readonly string[]
  onChange: (draft: UserDraft) => void
  /** For a new user who may be invited. */
  invitation?: Invitation | undefined
  onInvitation?: ((invitation: Invitation) => void) | undefined
}

export function AccountFields({ draft, settings, issues, onChange, invitation, onInvitation }: AccountFieldsProps) {
  const { value, checked } = fieldsOf(draft, onChange, (name) => issueAt(issues, name))
  const isNew = draft.id === 0
  return (
    <>
      <TextField
        label={t('user.username')}
        verbatim
        name="new-username"
        autoComplete="off"
        autoFocus={isNew}
        required
        {...value('username')}
      />
      {invitation !== undefined && onInvitation !== undefined && (
        <InvitationFields invitation={invitation} error={issueAt(issues, 'address')} onChange={onInvitation} />
      )}
      {invitation?.isOn !== true && (
        <PasswordField
          label={t('user.password')}
          placeholder={isNew ? undefined : t('user.password.keep')}
          hint={passwordHint(settings.minimumPasswordLength)}
          name="new-password"
          autoComplete="new-password"
          {...value('password')}
        />
      )}
      <ScopeFields draft={draft} settings={settings} error={issueAt(issues, 'scope')} onChange={onChange} />
      <LanguageSelect {...value('locale')} />
      <div className={styles.switches}>
        <Switch
          label={t('user.lock-password')}
          hint={draft.perm.admin ? t('user.lock-password.admin') : t('user.lock-password.hint')}
          {...checked('lockPassword')}
          disabled={draft.perm.admin}
        />
        <Switch
          label={t('user.enabled')}
          hint={t('user.enabled.hint')}
          checked={!draft.disabled}
          onChecked={(enabled) => onChange({ ...draft, disabled: !enabled })}
        />
        <Switch
          label={t('user.webdav')}
          checked={draft.webdavDisabled !== true}
          onChecked={(may) => onChange({ ...draft, webdavDisabled: !may })}
        />
      </div>
    </>
  )
}
