import { useId } from 'react'
import styles from './radio-group.module.css'

export interface RadioGroupProps<Value extends string> {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onValue: (value: Value) => void
  /** Takes initial focus in a dialog. */
  autoFocus?: boolean
}

/** A radio group whose options wrap to several lines. */
export function RadioGroup<Value extends string>({ label, value, options, onValue, autoFocus = false }: RadioGroupProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.choices} role="radiogroup" data-part="choices">
      <legend className={styles.label}>{label}</legend>
      <div className="flex wrap gap-3">
        {options.map((option) => (
          <label key={option.value} className={styles.option}>
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => onValue(option.value)}
              data-autofocus={autoFocus && option.value === value ? '' : undefined}
              autoFocus={autoFocus && option.value === value}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
