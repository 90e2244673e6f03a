import { type FormEvent, useState } from 'react'
import { useForgetDevices } from '../../../data/devices.ts'
import { notify } from '../../../data/notices.ts'
import { changeOwnPassword } from '../../../data/password.ts'
import { useUser } from '../../../data/session.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { passwordError } from '../../../widgets/password-error.ts'
import { type NewPassword, stateOf } from './new-password.ts'
import styles from './profile-form.module.css'

const NOTHING: NewPassword = { password: '', confirmation: '' }

/** Changes the user's own password. Unequal passwords are not submitted. */
export function PasswordCard() {
  const { username } = useUser()
  const forgetDevices = useForgetDevices()
  const [typed, setTyped] = useState(NOTHING)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const state = stateOf(typed)
  const tone = state === 'equal' ? 'success' : state === 'different' ? 'error' : null

  const type = (change: Partial<NewPassword>) => {
    setTyped({ ...typed, ...change })
    setRefusal(null)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || state !== 'equal') return
    setBusy(true)
    try {
      if (await changeOwnPassword(typed.password)) {
        setTyped(NOTHING)
        forgetDevices()
        notify({ tone: 'success', text: t('settings.password.updated') })
      }
    } catch (error) {
      const words = passwordError(error)
      if (words === null) notify({ tone: 'error', text: errorText(error) })
      setRefusal(words)
    }
    setBusy(false)
  }
  const words = { revealLabel: t('login.reveal'), concealLabel: t('login.conceal'), capsLockHint: t('login.caps-lock') }
  return (
    <Card title={t('settings.password')} text={t('settings.password.text')}>
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        {/* Password managers need the user name. */}
        <input hidden readOnly autoComplete="username" value={username} />
        <PasswordField
          {...words}
          label={t('settings.password.new')}
          name="new-password"
          autoComplete="new-password"
          tone={tone}
          error={refusal}
          value={typed.password}
          onValue={(password) => type({ password })}
        />
        <PasswordField
          {...words}
          label={t('settings.password.confirm')}
          name="new-password-again"
          autoComplete="new-password"
          success={state === 'equal' && refusal === null ? t('password.match') : null}
          error={state === 'different' ? t('password.differ') : null}
          value={typed.confirmation}
          onValue={(confirmation) => type({ confirmation })}
        />
        <div className={styles.actions}>
          <Button type="submit" variant="primary" busy={busy}>
            {t('settings.password.submit')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
