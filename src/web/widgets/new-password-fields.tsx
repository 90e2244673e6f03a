import { t } from '../i18n/i18n.tsx'
import { FieldMessage } from '../ui/field.tsx'
import { PasswordField } from './password-field.tsx'
import type { NewPasswordForm } from './new-password.ts'

/** The fields of a new password. @param props.autoFocus in a dialog: the first field gets the focus */
export function NewPasswordFields({
  username,
  form: { typed, feedback, error, change },
  autoFocus = false,
}: {
  username: string
  form: NewPasswordForm
  autoFocus?: boolean
}) {
  const { hint, passwordError, confirmationError, isGood } = feedback
  return (
    <>
      {/* Password managers need the user name. */}
      <input hidden readOnly autoComplete="username" value={username} />
      <PasswordField
        {...(autoFocus && { 'data-autofocus': true })}
        label={t('settings.password.new')}
        name="new-password"
        autoComplete="new-password"
        hint={hint}
        tone={isGood ? 'success' : confirmationError === null ? null : 'error'}
        error={passwordError}
        value={typed.password}
        onValue={(password) => change({ password })}
      />
      <PasswordField
        label={t('settings.password.confirm')}
        name="new-password-again"
        autoComplete="new-password"
        success={isGood ? t('password.match') : null}
        error={confirmationError}
        value={typed.confirmation}
        onValue={(confirmation) => change({ confirmation })}
      />
      <div role="alert" hidden={error === null}>
        {error !== null && <FieldMessage tone="error" text={error} />}
      </div>
    </>
  )
}
