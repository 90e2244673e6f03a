import { CalendarClock } from 'lucide-react'
import type { AppError } from '../../../shared/errors.ts'
import { formatMoment } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import styles from './password-card.module.css'

/** The door of a link before its time. */
export function ClosedCard({ error }: { error: AppError<'share-not-yet'> }) {
  return (
    <div className={styles.card} data-part="share-closed" role="alert">
      <span className={styles.lock} aria-hidden>
        <CalendarClock size={26} strokeWidth={1.75} />
      </span>
      <div>
        <h1 className={styles.title}>{t('closed.not-yet.title')}</h1>
        <p className={styles.text}>{t('closed.not-yet.text', { when: formatMoment(error.detail.starts) })}</p>
      </div>
    </div>
  )
}
