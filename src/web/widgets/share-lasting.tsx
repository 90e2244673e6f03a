import { formatMoment } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import { Choices } from '../ui/choices.tsx'
import { TextField } from '../ui/text-field.tsx'
import { dayAhead, endOf, type Lasting, type Term, TERMS } from './lasting.ts'
import styles from './share-options.module.css'

export interface ShareLastingProps {
  lasting: Lasting
  onLasting: (lasting: Lasting) => void
  /** Somebody tried to send it. */
  tried: boolean
  /** When the link ends as it is, for one that is changed: seconds since 1970, 0 for never. */
  before?: number
}

/** How long a link lasts, by what people say, and when that is. */
export function ShareLasting({ lasting, onLasting, tried, before }: ShareLastingProps) {
  const now = new Date()
  const end = lasting.term === 'keep' ? (before ?? 0) : endOf(lasting, now)
  const terms: readonly Term[] = before === undefined || before === 0 ? TERMS : ['keep', ...TERMS]
  return (
    <div className={styles.lasting}>
      <Choices
        label={t('share.duration')}
        value={lasting.term}
        options={terms.map((term) => ({ value: term, label: t(`share.term.${term}`) }))}
        onValue={(term) => onLasting({ term, date: lasting.date === '' ? dayAhead(14, now) : lasting.date })}
        autoFocus
      />
      {lasting.term === 'date' && (
        <TextField
          label={t('share.last-day')}
          type="date"
          min={dayAhead(0, now)}
          value={lasting.date}
          onValue={(date) => onLasting({ term: 'date', date })}
          error={tried && end === null ? t('share.bad-date') : null}
        />
      )}
      {end !== null && (
        <p className={styles.end} role="status">
          {end === 0 ? t('share.lasts.always') : t('share.lasts.until', { end: formatMoment(end) })}
        </p>
      )}
    </div>
  )
}
