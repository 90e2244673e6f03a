import { Link, Outlet } from '../router/router.tsx'
import { instanceName, pageConfig } from '../data/page-config.ts'
import { useSession } from '../data/session.ts'
import { t } from '../i18n/i18n.tsx'
import { buttonClassName } from '../ui/button.tsx'
import styles from './share-frame.module.css'
import { ThemeMenu } from './theme-menu.tsx'
import { useDocumentTitle } from './title.ts'

/** The frame of what visitors see: whose place this is, the theme, and the way in. */
export function ShareFrame() {
  useDocumentTitle()
  return (
    <div className={styles.frame} data-part="share-frame">
      <a className={styles.skip} href="#main">
        {t('app.skip')}
      </a>
      <header className={styles.header} data-part="header">
        <p className={styles.brand} data-part="brand">
          <img className={styles.logo} src={`${pageConfig.StaticURL}/img/logo.svg`} alt="" width={32} height={32} />
          <span className={styles.name}>{instanceName}</span>
        </p>
        <div className={styles.tools}>
          <ThemeMenu />
          <WayIn />
        </div>
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}

function WayIn() {
  const signedIn = useSession((state) => state.user !== null)
  if (signedIn)
    return (
      <Link to="/files/" className={buttonClassName({ variant: 'quiet' })}>
        {t('files.root')}
      </Link>
    )
  if (!pageConfig.LoginPage || pageConfig.HideLoginButton) return null
  return (
    <Link to="/login" className={buttonClassName({ variant: 'quiet' })}>
      {t('login.submit')}
    </Link>
  )
}
