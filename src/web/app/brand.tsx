import { Link } from '../router/router.tsx'
import { instanceName, pageConfig } from '../data/page-config.ts'
import { t } from '../i18n/i18n.tsx'
import { classes } from '../ui/classes.ts'
import styles from './brand.module.css'

/** Logo and name; branding can replace both. */
export function Brand() {
  return (
    <Link to="/files/" className={styles.brand} aria-label={t('frame.home', { name: instanceName })} data-part="brand">
      <img className={styles.logo} src={`${pageConfig.StaticURL}/img/logo.svg`} alt="" width={32} height={32} />
      <span className={classes(styles.name, 'truncated')}>{instanceName}</span>
    </Link>
  )
}
