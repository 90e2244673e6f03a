import { t } from '../i18n/i18n.tsx'
import styles from './star-mark.module.css'

/** Beside the name of what somebody has marked: a small star. */
export function StarMark() {
  return (
    <>
      <svg className={styles.star} width={14} height={14} viewBox="0 0 24 24" aria-hidden>
        <path d={STAR} />
      </svg>
      <span className="sr-only">{t('files.starred')}</span>
    </>
  )
}

const STAR = 'M12 2.6l2.9 5.9 6.5.95-4.7 4.6 1.1 6.45L12 17.45 6.2 20.5l1.1-6.45-4.7-4.6 6.5-.95z'
