import { t } from '../i18n/i18n.tsx'
import { Spinner } from '../ui/spinner.tsx'
import styles from './screen-loading.module.css'

/** Visible only after a delay. */
export function ScreenLoading() {
  return (
    <div className={styles.loading} role="status">
      <Spinner size={28} />
      <span>{t('app.loading')}</span>
    </div>
  )
}
