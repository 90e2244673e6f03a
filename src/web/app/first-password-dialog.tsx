import { useState } from 'react'
import { notify } from '../data/notices.ts'
import { changeOwnPassword } from '../data/password.ts'
import type { PromptProps } from '../data/prompts.ts'
import { useUser } from '../data/session.ts'
import { errorText, t } from '../i18n/i18n.tsx'
import { type NewPassword, stateOf } from '../screens/settings/profile/new-password.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FieldMessage } from '../ui/field.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { passwordError } from '../widgets/password-error.ts'
import styles from './shares/shares.module.css'

/** Asks for a new password after a sign-in with the password that was printed at first start. */
export function FirstPasswordDialog({ onAnswer, onDismiss }: PromptProps<'first-password'>) {
  const { username } = useUser()
  const [typed, setTyped] = useState<NewPassword>({ password: '', confirmation: '' })
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [tried, setTried] = useState(false)
  const state = stateOf(typed)
  const words = { revealLabel: t('login.reveal'), concealLabel: t('login.conceal'), capsLockHint: t('login.caps-lock') }
  const change = (part: Partial<NewPassword>) => {
    setTyped({ ...typed, ...part })
    setProblem(null)
  }
  const submit = async () => {
    setTried(true)
    if (state !== 'equal') return
    setBusy(true)
    try {
      if (await changeOwnPassword(typed.password)) {
        notify({ tone: 'success', text: t('settings.password.updated') })
        return onAnswer(true)
      }
    } catch (error) {
      setProblem(passwordError(error) ?? errorText(error))
    }
    setBusy(false)
  }
  return (
    <Dialog
      title={t('first-password.title')}
      description={t('first-password.text')}
      onDismiss={onDismiss}
      onSubmit={() => void submit()}
      busy={busy}
      actions={
        <>
          <Button variant="quiet" onClick={onDismiss} disabled={busy}>
            {t('first-password.later')}
          </Button>
          <Button variant="primary" type="submit" busy={busy}>
            {t('settings.password.submit')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {/* Password managers need the user name. */}
        <input hidden readOnly autoComplete="username" value={username} />
        <PasswordField
          {...words}
          label={t('settings.password.new')}
          name="new-password"
          autoComplete="new-password"
          data-autofocus
          error={tried && typed.password === '' ? t('login.enter-password') : null}
          value={typed.password}
          onValue={(password) => change({ password })}
        />
        <PasswordField
          {...words}
          label={t('settings.password.confirm')}
          name="new-password-again"
          autoComplete="new-password"
          success={state === 'equal' && problem === null ? t('password.match') : null}
          error={state === 'different' ? t('password.differ') : null}
          value={typed.confirmation}
          onValue={(confirmation) => change({ confirmation })}
        />
        <div role="alert">{problem !== null && <FieldMessage tone="error" text={problem} />}</div>
      </div>
    </Dialog>
  )
}
