import { Suspense, useEffect, useState } from 'react'
import { Link, useSearchParams } from '../../router/router.tsx'
import { instanceName, pageConfig } from '../../data/page-config.ts'
import { acknowledgeEnd, useSession } from '../../data/session.ts'
import { t } from '../../i18n/i18n.tsx'
import { lazyPart } from '../../i18n/lazy-part.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { AutomaticSignInFailed } from './automatic-sign-in-failed.tsx'
import { LoginForm } from './login-form.tsx'
import styles from './login-screen.module.css'
import { ProviderButtons } from './provider-buttons.tsx'

const ReturnedSignIn = lazyPart(async () => (await import('./returned-sign-in.tsx')).ReturnedSignIn)

/** Sign-in and sign-up. The route guard navigates onwards once there is a session. */
export function LoginScreen() {
  const [ended] = useState(() => useSession.getState().ended === 'refused')
  const [remember, setRemember] = useState(true)
  const query = useSearchParams()

  // Acknowledges the end of the previous session.
  useEffect(acknowledgeEnd, [])

  if (!pageConfig.LoginPage) return <AutomaticSignInFailed />
  const signup = pageConfig.Signup && query.has('signup')
  return (
    <StandalonePage data-part="login">
      <header className={styles.head}>
        <img className={styles.logo} src={`${pageConfig.StaticURL}/img/logo.svg`} alt="" width={52} height={52} />
        <div className="shrinkable break-anywhere">
          <h1 className={styles.title}>{t(signup ? 'login.signup.title' : 'login.title', { name: instanceName })}</h1>
          <p className={styles.host}>
            <bdi>{location.host}</bdi>
          </p>
        </div>
      </header>
      {isReturned(query) && (
        <Suspense fallback={null}>
          <ReturnedSignIn query={query} />
        </Suspense>
      )}
      {pageConfig.ProvidersOnly ? (
        <div className={styles.form}>
          <Checkbox className={styles.remember} label={t('login.remember')} checked={remember} onChecked={setRemember} />
        </div>
      ) : (
        <LoginForm signup={signup} ended={ended} remember={remember} onRemember={setRemember} />
      )}
      {!signup && <ProviderButtons remember={remember} />}
      {pageConfig.Signup && (
        <p className={styles.other}>
          <Link to={otherMode(query)} replace className={styles.link}>
            {t(signup ? 'login.to-login' : 'login.to-signup')}
          </Link>
        </p>
      )}
    </StandalonePage>
  )
}

/** Somebody comes back from a provider, or by a link that signs in once. */
function isReturned(query: URLSearchParams): boolean {
  return query.has('provider') || query.has('problem') || location.hash.startsWith('#once=')
}

/** Address of the other mode; keeps the redirect target. */
function otherMode(query: URLSearchParams): string {
  const other = new URLSearchParams(query)
  if (other.has('signup')) other.delete('signup')
  else other.set('signup', '')
  return `/login?${other}`.replace(/=(?=&|$)/g, '').replace(/\?$/, '')
}
