import { Suspense, useEffect, useState } from 'react'
import { Link, useSearchParams } from '../../router/router.tsx'
import { instanceName, pageConfig } from '../../data/page-config.ts'
import { acknowledgeEnd, useSession } from '../../data/session.ts'
import { t } from '../../i18n/i18n.tsx'
import { lazyPart } from '../../i18n/lazy-part.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { AutomaticSignInFailed } from './automatic-sign-in-failed.tsx'
import { type HalfDone, halfDoneInAddress } from '../../data/second-step.ts'
import { LoginForm } from './login-form.tsx'
import links from '../../widgets/page-link.module.css'
import { SecondStep } from './second-step.tsx'
import styles from './login-screen.module.css'
import { ProviderButtons } from './provider-buttons.tsx'

const ReturnedSignIn = lazyPart(async () => (await import('./returned-sign-in.tsx')).ReturnedSignIn)

/** Sign-in and sign-up. The route guard navigates onwards once there is a session. */
export function LoginScreen() {
  const [ended, setEnded] = useState(() => (useSession.getState().ended === 'refused' ? t('login.ended') : null))
  const [half, setHalf] = useState<HalfDone | null>(() => halfDoneInAddress(location))
  const [remember, setRemember] = useState(true)
  const query = useSearchParams()

  // Acknowledges the end of the previous session.
  useEffect(acknowledgeEnd, [])

  if (!pageConfig.LoginPage) return <AutomaticSignInFailed />
  const signup = pageConfig.Signup && query.has('signup')
  const title = half === null ? t(signup ? 'login.signup.title' : 'login.title', { name: instanceName }) : t('login.second.title')
  const startOver = ({ expired }: { expired: boolean }) => {
    setHalf(null)
    setEnded(expired ? t('login.second.expired') : null)
  }
  return (
    <StandalonePage data-part="login">
      <header className={styles.head}>
        <img className={styles.logo} src={`${pageConfig.StaticURL}/img/logo.svg`} alt="" width={52} height={52} />
        <div className="shrinkable break-anywhere">
          <h1 className={styles.title}>{title}</h1>
          <p className={styles.host}>
            <bdi>{location.host}</bdi>
          </p>
        </div>
      </header>
      {half === null ? (
        <>
          {isReturned(query) && (
            <Suspense fallback={null}>
              <ReturnedSignIn query={query} onHalfDone={setHalf} />
            </Suspense>
          )}
          {pageConfig.ProvidersOnly && !pageConfig.Directories ? (
            <div className={styles.form}>
              {ended !== null && <p className={styles.ended}>{ended}</p>}
              <Checkbox className={styles.remember} label={t('login.remember')} checked={remember} onChecked={setRemember} />
            </div>
          ) : (
            <LoginForm signup={signup} ended={ended} remember={remember} onRemember={setRemember} onHalfDone={setHalf} />
          )}
          {!signup && <ProviderButtons remember={remember} />}
        </>
      ) : (
        <SecondStep half={half} onBack={startOver} />
      )}
      {pageConfig.PasswordReset && !signup && half === null && (
        <p className={links.other}>
          <Link to="/password" className={links.link}>
            {t('login.forgot')}
          </Link>
        </p>
      )}
      {pageConfig.Signup && half === null && (
        <p className={links.other}>
          <Link to={otherMode(query)} replace className={links.link}>
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
