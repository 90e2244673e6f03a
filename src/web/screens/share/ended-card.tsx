import { Unlink } from 'lucide-react'
import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { StandaloneCard } from '../../ui/standalone-card.tsx'
import door from './gate.module.css'

/** A link that has ended, like one that never was: there is nothing behind it. */
export function EndedCard({ onRetry }: { onRetry: () => void }) {
  return (
    <StandaloneCard empty className={door.card} data-part="share-ended" role="alert">
      <div className="grid gap-5">
        <span className={door.sign} data-tone="quiet" aria-hidden>
          <Unlink size={26} strokeWidth={1.75} />
        </span>
        <div>
          <h1 className={door.title}>{t('errors.not-found.title')}</h1>
          <p className={door.text}>{t('errors.not-found.text')}</p>
          <p className={door.text}>{t('visit.gone')}</p>
        </div>
        <div className={door.actions}>
          <Button label={t('action.retry')} onClick={onRetry} />
        </div>
      </div>
    </StandaloneCard>
  )
}
