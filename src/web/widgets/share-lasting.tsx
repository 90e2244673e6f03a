import { SHARE_UNITS, type ShareUnit } from '../../shared/contract/shares.ts'
import { MAX_SHARE_DURATION } from '../../shared/limits.ts'
import { formatMoment } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { endOf, isDuration } from './lasting.ts'
import styles from './share-options.module.css'

export interface ShareLastingProps {
  expires: string
  unit: ShareUnit
  onChange: (fields: { expires?: string; unit?: ShareUnit }) => void
  /** Somebody tried to send it. */
  tried: boolean
  /** What nothing typed means; where it is not said, a link that stays. */
  untouched?: string
}

/** How long a link lasts from now, and what that means in plain words (ux 64). Empty or 0 lasts for ever (spec §5). */
export function ShareLasting({ expires, unit, onChange, tried, untouched }: ShareLastingProps) {
  const good = isDuration(expires)
  const hint = expires.trim() === '' ? (untouched ?? t('share.lasts.always')) : lasting(endOf(expires, unit, new Date()))
  return (
    <div className={styles.lasting}>
      <TextField
        label={t('share.duration')}
        inputMode="numeric"
        autoComplete="off"
        autoFocus
        data-autofocus=""
        value={expires}
        onValue={(typed) => onChange({ expires: typed })}
        error={tried && !good ? t('share.bad-duration', { most: MAX_SHARE_DURATION }) : null}
        hint={good ? hint : undefined}
      />
      <Select
        label={t('share.unit')}
        value={unit}
        options={SHARE_UNITS.map((value) => ({ value, label: t(`share.unit.${value}`) }))}
        onValue={(chosen) => onChange({ unit: chosen })}
      />
    </div>
  )
}

function lasting(end: number): string {
  return end === 0 ? t('share.lasts.always') : t('share.lasts.until', { end: formatMoment(end) })
}
