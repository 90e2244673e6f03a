import { CalendarClock, CircleCheckBig } from 'lucide-react'
import { type AppError, isAppError } from '../../../shared/errors.ts'
import { formatMoment } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import door from './door.module.css'

/** The door of a link before its time, and of one of which everything was taken. */
export function ClosedCard({ error }: { error: AppError }) {
  const early = isAppError(error, 'share-not-yet')
  const Icon = early ? CalendarClock : CircleCheckBig
  return (
    <div className={door.card} data-part="share-closed" role="alert">
      <span className={door.sign} aria-hidden>
        <Icon size={26} strokeWidth={1.75} />
      </span>
      <div>
        <h1 className={door.title}>{t(early ? 'closed.not-yet.title' : 'closed.used-up.title')}</h1>
        <p className={door.text}>
          {early ? t('closed.not-yet.text', { when: formatMoment(error.detail.starts) }) : t('closed.used-up.text')}
        </p>
      </div>
    </div>
  )
}
