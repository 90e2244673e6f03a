import { formatMoment } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import { RadioGroup } from '../ui/radio-group.tsx'
import { TextField } from '../ui/text-field.tsx'
import { dayAhead, expiresAt, type Expiry, type ExpiryTerm, EXPIRY_TERMS } from './expiry.ts'

export interface ExpiryFieldProps {
  /** That of a link by default. */
  label?: string
  /** Whether the choice gets the focus when it appears; it does by default. */
  autoFocus?: boolean
  expiry: Expiry
  onExpiry: (lasting: Expiry) => void
  /** Whether the form was submitted. */
  tried: boolean
  /** Current expiry when editing: seconds since 1970, 0 for never. */
  before?: number
}

/** Expiry of a link or an API token, with the resulting date. */
export function ExpiryField({ label = t('share.duration'), autoFocus = true, expiry, onExpiry, tried, before }: ExpiryFieldProps) {
  const now = new Date()
  const end = expiry.term === 'keep' ? (before ?? 0) : expiresAt(expiry, now)
  const terms: readonly ExpiryTerm[] = before === undefined || before === 0 ? EXPIRY_TERMS : ['keep', ...EXPIRY_TERMS]
  return (
    <div className="grid gap-4 shrinkable">
      <RadioGroup
        label={label}
        value={expiry.term}
        options={terms.map((term) => ({ value: term, label: t(`share.term.${term}`) }))}
        onValue={(term) => onExpiry({ term, date: expiry.date === '' ? dayAhead(14, now) : expiry.date })}
        autoFocus={autoFocus}
      />
      {expiry.term === 'date' && (
        <TextField
          label={t('share.last-day')}
          type="date"
          min={dayAhead(0, now)}
          value={expiry.date}
          onValue={(date) => onExpiry({ term: 'date', date })}
          error={tried && end === null ? t('share.bad-date') : null}
        />
      )}
      {end !== null && (
        <p className="muted text-small" role="status">
          {end === 0 ? t('share.lasts.always') : t('share.lasts.until', { end: formatMoment(end) })}
        </p>
      )}
    </div>
  )
}
