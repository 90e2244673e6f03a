import { CalendarClock } from 'lucide-react'
import type { AppError } from '../../../shared/errors.ts'
import { formatMoment } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { StandaloneCard } from '../../ui/standalone-card.tsx'
import door from './gate.module.css'

/** Shown before a link's start time. */
export function ClosedCard({ error }: { error: AppError<'share-not-yet'> }) {
  return (
    <StandaloneCard className={door.card} data-part="share-closed" role="alert">
      <div className="grid gap-5">
        <span className={door.sign} aria-hidden>
          <CalendarClock size={26} strokeWidth={1.75} />
        </span>
        <div>
          <h1 className={door.title}>{t('closed.not-yet.title')}</h1>
          <p className={door.text}>{t('closed.not-yet.text', { when: formatMoment(error.detail.starts) })}</p>
        </div>
      </div>
    </StandaloneCard>
  )
}
