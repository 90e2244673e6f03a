import { useNewShares } from '../../data/with-me.ts'
import { t } from '../../i18n/i18n.tsx'
import styles from './news-badge.module.css'

/** How much others have shared since the user last looked; nothing if nothing. */
export function NewsBadge() {
  const count = useNewShares()
  if (count === 0) return null
  return (
    <span className={styles.badge} data-part="badge">
      <span aria-hidden>{count}</span>
      <span className="sr-only">{t('with-me.news', { count })}</span>
    </span>
  )
}
