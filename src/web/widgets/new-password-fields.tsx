import { t } from '../i18n/i18n.tsx'
import { FieldMessage } from '../ui/field.tsx'
import { PasswordField } from './password-field.tsx'
import { type NewPasswordForm, stateOf } from './new-password.ts'

/** The fields of a new password. @param props.autoFocus in a dialog: the first field gets the focus */
export function NewPasswordFields({
  username,
  form: { typed, isTried, error, change },
  autoFocus = false,
}: {
  username: string
  form: NewPasswordForm
  autoFocus?: boolean
}) {
  const state = stateOf(typed)
  const rejected = error?.of === 'password' ? error.text : null
  return (
    <>
      {/* Password managers need the user name. */}
      <input hidden readOnly autoComplete="username" value={username} />
      <PasswordField
        {...(autoFocus && { 'data-autofocus': true })}
        label={t('settings.password.new')}
        name="new-password"
        autoComplete="new-password"
        tone={state === 'equal' ? 'success' : state === 'different' ? 'error' : null}
        error={rejected ?? (isTried && typed.password === '' ? t('login.enter-password') : null)}
        value={typed.password}
        onValue={(password) => change({ password })}
      />
      <PasswordField
        label={t('settings.password.confirm')}
        name="new-password-again"
        autoComplete="new-password"
        success={state === 'equal' && error === null ? t('password.match') : null}
        error={state === 'different' ? t('password.differ') : null}
        value={typed.confirmation}
        onValue={(confirmation) => change({ confirmation })}
      />
      <div role="alert" hidden={error?.of !== 'form'}>
        {error?.of === 'form' && <FieldMessage tone="error" text={error.text} />}
      </div>
    </>
  )
}
