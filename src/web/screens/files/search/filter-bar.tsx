import { ChevronDown } from 'lucide-react'
import { parseSizes } from '../../../../shared/search-spans.ts'
import { formatWholeBytes } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import styles from './filter-bar.module.css'
import { type Filters, type Size, SIZES, type Time, TIMES, toggled, TYPES } from './filters.ts'

export interface FilterBarProps {
  filters: Filters
  onFilters: (filters: Filters) => void
  /** A button was clicked with the mouse: return focus to the field. */
  onPressed: () => void
}

/** Filters by type, date and size, and the contents switch. */
export function FilterBar({ filters, onFilters, onPressed }: FilterBarProps) {
  const { types, time, size } = filters
  return (
    <div className={styles.bar}>
      <div className={styles.types} role="group" aria-label={t('search.types')}>
        {TYPES.map((one) => (
          <button
            key={one}
            type="button"
            className={styles.chip}
            aria-pressed={types.includes(one)}
            onClick={({ detail }) => {
              onFilters({ ...filters, types: toggled(types, one) })
              // After a mouse click the user goes on typing; after keyboard activation focus stays.
              if (detail > 0) onPressed()
            }}
          >
            {t(`search.type.${one}`)}
          </button>
        ))}
      </div>
      <Choice
        label={t('search.time')}
        value={time}
        options={TIMES}
        text={timeText}
        onValue={(next) => onFilters({ ...filters, time: next })}
      />
      <Choice
        label={t('search.size')}
        value={size}
        options={SIZES}
        text={sizeText}
        onValue={(next) => onFilters({ ...filters, size: next })}
      />
    </div>
  )
}

interface ChoiceProps<Value extends string> {
  label: string
  value: Value
  options: readonly Value[]
  text: (value: Value) => string
  onValue: (value: Value) => void
}

/** A chip with a native `<select>`, highlighted when a value is chosen. */
function Choice<Value extends string>({ label, value, options, text, onValue }: ChoiceProps<Value>) {
  return (
    <span className={styles.choice}>
      <select
        className={styles.chip}
        aria-label={label}
        data-taken={value !== '' || undefined}
        value={value}
        onChange={({ target }) => {
          const chosen = options.find((option) => option === target.value)
          if (chosen !== undefined) onValue(chosen)
        }}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {text(option)}
          </option>
        ))}
      </select>
      <ChevronDown className={styles.arrow} size={15} strokeWidth={2} aria-hidden />
    </span>
  )
}

function timeText(time: Time): string {
  if (time === '') return t('search.time.any')
  if (time === 'today') return t('search.time.today')
  if (time === '<1y') return t('search.time.year')
  return t('search.time.days', { n: Number.parseInt(time.slice(1), 10) })
}

function sizeText(size: Size): string {
  if (size === '') return t('search.size.any')
  const { from, to } = parseSizes(size) ?? { from: null, to: null }
  const shown = formatWholeBytes(to ?? (from ?? 1) - 1)
  return t(to === null ? 'search.size.over' : 'search.size.under', { size: shown })
}
