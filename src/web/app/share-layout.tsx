import { Link, Outlet } from '../router/router.tsx'
import { instanceName, pageConfig } from '../data/page-config.ts'
import { useSession } from '../data/session.ts'
import { t } from '../i18n/i18n.tsx'
import backdrop from '../ui/backdrop.module.css'
import { buttonClassName } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import styles from './share-layout.module.css'
import { SkipLink } from './skip-link.tsx'
import { ThemeMenu } from './theme-menu.tsx'
import { useDocumentTitle } from './title.ts'

/** Layout of share pages: brand, theme menu, sign-in link. */
export function ShareLayout() {
  useDocumentTitle()
  return (
    <div className={classes(backdrop.backdrop, styles.frame)} data-part="share-frame">
      <SkipLink />
      <header className={styles.header} data-part="header">
        <p className={styles.brand} data-part="brand">
          <img className={styles.logo} src={`${pageConfig.StaticURL}/img/logo.svg`} alt="" width={32} height={32} />
          <span className="truncated">{instanceName}</span>
        </p>
        <div className={styles.tools}>
          <ThemeMenu />
          <SignInLink />
        </div>
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}

function SignInLink() {
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
