import type { ReactNode } from 'react'
import styles from './segmented.module.css'

export interface SegmentedProps<Value extends string> {
  label: string
  value: Value
  /** With an icon the label becomes the tooltip. */
  options: readonly { value: Value; label: string; icon?: ReactNode }[]
  onValue: (value: Value) => void
}

/** A segmented control (radio group). */
export function Segmented<Value extends string>({ label, value, options, onValue }: SegmentedProps<Value>) {
  return (
    <div className={styles.group} role="radiogroup" aria-label={label} data-part="segmented">
      {options.map((option) => (
        <label key={option.value} className={styles.option} data-tooltip={option.icon ? option.label : undefined}>
          <input
            type="radio"
            name={label}
            checked={option.value === value}
            aria-label={option.label}
            onChange={() => onValue(option.value)}
          />
          {option.icon ?? option.label}
        </label>
      ))}
    </div>
  )
}
