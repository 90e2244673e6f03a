import { useMutation } from '@tanstack/react-query'
import { isAppError } from '../../../shared/errors.ts'
import { CircleAlert } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { useNavigate } from '../../router/router.tsx'
import { type Widget } from '../../data/captcha.ts'
import { pageConfig } from '../../data/page-config.ts'
import { hasPasskeys } from '../../data/passkeys.ts'
import { type HalfDone, halfDoneFrom } from '../../data/second-step.ts'
import { type Credentials, signIn, signUp } from '../../data/session.ts'
import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { feedbackOf } from '../../widgets/new-password.ts'
import { PasswordField } from '../../widgets/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { CaptchaSlot } from './captcha-slot.tsx'
import box from './login-failure.module.css'
import styles from './login-screen.module.css'
import { PasskeyButton } from './passkey-button.tsx'
import { type Entry, loginErrors, signupErrors, validateSignup, type FormErrors } from './form-errors.ts'

export interface LoginFormProps {
  signup: boolean
  /** Why somebody has to sign in again, if they were signed in. */
  ended: string | null
  /** Whether the sign-in outlives the browser. */
  remember: boolean
  onRemember: (remember: boolean) => void
  /** The password was right, and the account has a second factor. */
  onHalfDone: (half: HalfDone) => void
}

/** Fields of both modes; switching keeps what was typed. */
export function LoginForm({ signup, ended, remember, onRemember, onHalfDone }: LoginFormProps) {
  const [entry, setEntry] = useState<Entry>({ username: '', password: '', confirmation: '' })
  const [trouble, setTrouble] = useState<FormErrors>({})
  const [created, setCreated] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const captcha = useRef<Widget | null>(null)
  const navigate = useNavigate()

  // A field's error disappears when it changes; errors of one mode do not apply to the other.
  const change = (part: Partial<Entry>) => {
    setEntry({ ...entry, ...part })
    setTrouble({})
  }
  const [mode, setMode] = useState(signup)
  if (mode !== signup) {
    setMode(signup)
    setTrouble({})
  }

  const stop = (found: FormErrors) => {
    setTrouble(found)
    captcha.current?.reset()
    const field = found.username ? 'username' : found.confirmation ? 'confirmation' : 'password'
    form.current?.querySelector<HTMLInputElement>(`input[name=${field}]`)?.select()
  }

  const send = useMutation({
    meta: { shows: 'all' },
    /** @returns whether the user is signed in; an account may have been created all the same */
    async mutationFn(credentials: Credentials): Promise<boolean> {
      if (signup) await signUp(credentials)
      return signIn({ ...credentials, remember }).then(
        () => true,
        (error: unknown) => (signup ? false : Promise.reject(error)),
      )
    },
    onError(error) {
      const half = halfDoneFrom(error, { remember })
      if (half === null) stop(signup ? signupErrors(error) : loginErrors(error))
      else onHalfDone(half)
    },
    onSuccess(isSignedIn) {
      if (isSignedIn) return
      // The account exists, only signing in failed: the next attempt signs in.
      setCreated(true)
      stop({})
      void navigate(location.search.includes('redirect') ? withoutSignup() : '/login', { replace: true })
    },
  })
  // Until the next page is there.
  const busy = send.isPending || send.data === true

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const early = signup ? validateSignup(entry, { minimumLength: pageConfig.MinimumPasswordLength }) : null
    if (early !== null) return stop(early)
    const recaptcha = captcha.current?.response()
    // No request without a solved captcha.
    if (pageConfig.ReCaptcha && !recaptcha) return stop(loginErrors(null))
    setTrouble({})
    // Phone keyboards append a space; new user names must not end with one.
    send.mutate({ username: signup ? entry.username.trim() : entry.username, password: entry.password, recaptcha })
  }

  const refused = trouble.password ?? null
  const feedback = signup ? feedbackOf(entry, { minimumLength: pageConfig.MinimumPasswordLength, isTried: false, refused }) : null
  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate data-mode={signup ? 'signup' : 'login'}>
      {ended !== null && !trouble.box && !signup && !created && <p className={styles.ended}>{ended}</p>}
      {created && !trouble.box && (
        <p className={styles.ended} role="status">
          {t('login.created')}
        </p>
      )}
      <TextField
        label={t('login.username')}
        verbatim
        name="username"
        autoComplete={pageConfig.Passkeys && !signup ? 'username webauthn' : 'username'}
        autoFocus
        required
        value={entry.username}
        onValue={(username) => change({ username })}
        error={trouble.username}
      />
      <PasswordField
        label={t('login.password')}
        name="password"
        autoComplete={signup ? 'new-password' : 'current-password'}
        required
        value={entry.password}
        onValue={(password) => change({ password })}
        hint={feedback?.hint}
        tone={feedback?.isGood ? 'success' : null}
        error={feedback === null ? trouble.password : feedback.passwordError}
      />
      {feedback !== null && (
        <PasswordField
          label={t('login.confirmation')}
          name="confirmation"
          autoComplete="new-password"
          required
          value={entry.confirmation}
          onValue={(confirmation) => change({ confirmation })}
          error={trouble.confirmation ?? feedback.confirmationError}
          success={feedback.isGood ? t('password.match') : null}
        />
      )}
      {pageConfig.ReCaptcha && <CaptchaSlot widget={captcha} />}
      <Checkbox className={styles.remember} label={t('login.remember')} checked={remember} onChecked={onRemember} />
      <LoginFailure failure={trouble.box ?? null} />
      <Button
        label={t(busy ? (signup ? 'login.signup.checking' : 'login.checking') : signup ? 'login.signup.submit' : 'login.submit')}
        type="submit"
        variant="primary"
        size="large"
        wide
        busy={busy}
      />
      {pageConfig.Passkeys && !signup && hasPasskeys() && (
        <PasskeyButton onFailure={(error) => setTrouble(isAppError(error, 'wrong-credentials') ? NOT_ACCEPTED() : loginErrors(error))} />
      )}
    </form>
  )
}

const NOT_ACCEPTED = (): FormErrors => ({ box: { text: t('login.passkey.failed'), more: null } })

function withoutSignup(): string {
  const query = new URLSearchParams(location.search)
  query.delete('signup')
  return `/login?${query}`
}

/** Error message of the form, announced when it appears. */
function LoginFailure({ failure }: { failure: { text: string; more: string | null } | null }) {
  return (
    <div role="alert" className={box.alert}>
      {failure && (
        <div className={box.failure}>
          <CircleAlert size={18} aria-hidden />
          <div>
            <p>{failure.text}</p>
            {failure.more && <p className="muted text-small">{failure.more}</p>}
          </div>
        </div>
      )}
    </div>
  )
}
