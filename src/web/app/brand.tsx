import { Link } from '../router/router.tsx'
import { instanceName, pageConfig } from '../data/page-config.ts'
import { CURRENT_SHARE, HOME_URL } from '../data/share-context.ts'
import { t } from '../i18n/i18n.tsx'
import { classes } from '../ui/classes.ts'
import styles from './brand.module.css'

/** Logo and name; branding can replace both. */
export function Brand() {
  const label = t('frame.home', { name: instanceName })
  // Within a share, home is another page.
  if (CURRENT_SHARE !== null)
    return (
      <a href={`${HOME_URL}/files/`} className={styles.brand} aria-label={label} data-part="brand">
        <Face />
      </a>
    )
  return (
    <Link to="/files/" className={styles.brand} aria-label={label} data-part="brand">
      <Face />
    </Link>
  )
}

function Face() {
  return (
    <>
      <img className={styles.logo} src={`${pageConfig.StaticURL}/img/logo.svg`} alt="" width={32} height={32} />
      <span className={classes(styles.name, 'truncated')}>{instanceName}</span>
    </>
  )
}
