import { type FormEvent, useEffect, useRef, useState } from 'react'
import { isAppError } from '../../../shared/errors.ts'
import { instanceName, pageConfig } from '../../data/page-config.ts'
import { forgetEnd, signIn, useSession } from '../../data/session.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { LoginFailure } from './login-failure.tsx'
import styles from './login-screen.module.css'

/** Sign-in. Where to go afterwards is the route guard's business: it looks on until there is a session. */
export function LoginScreen() {
  const [refused] = useState(() => useSession.getState().ended === 'refused')
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ text: string; more: string | null } | null>(null)
  const form = useRef<HTMLFormElement>(null)

  // Tells the session store that this screen has taken note.
  useEffect(forgetEnd, [])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setFailure(null)
    try {
      await signIn({ username, password })
    } catch (error) {
      setFailure({ text: t('error.wrong-credentials'), more: secondLine(error) })
      setBusy(false)
      form.current?.querySelector<HTMLInputElement>('input[name=password]')?.select()
    }
  }

  return (
    <main className={styles.page} data-part="login">
      <div className={styles.card}>
        <div className={styles.head}>
          <img className={styles.logo} src={`${pageConfig.StaticURL}/img/logo.svg`} alt="" width={52} height={52} />
          <div>
            <h1 className={styles.title}>{t('login.title', { name: instanceName })}</h1>
            <p className={styles.host}>
              <bdi>{location.host}</bdi>
            </p>
          </div>
        </div>
        <form ref={form} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
          {refused && failure === null && <p className={styles.ended}>{t('login.ended')}</p>}
          <TextField
            label={t('login.username')}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            autoFocus
            required
            value={username}
            onValue={setUsername}
          />
          <PasswordField
            label={t('login.password')}
            name="password"
            autoComplete="current-password"
            required
            revealLabel={t('login.reveal')}
            concealLabel={t('login.conceal')}
            capsLockHint={t('login.caps-lock')}
            value={password}
            onValue={setPassword}
          />
          <LoginFailure failure={failure} />
          <Button type="submit" variant="primary" size="large" wide busy={busy}>
            {busy ? t('login.checking') : t('login.submit')}
          </Button>
        </form>
      </div>
    </main>
  )
}

/** What the specified words leave out and a person needs to know (decision 7). */
function secondLine(error: unknown): string | null {
  if (isAppError(error, 'offline')) return t('login.offline')
  return isAppError(error, 'too-many-requests') ? errorText(error) : null
}
