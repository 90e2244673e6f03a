import { ChevronDown } from 'lucide-react'
import { Field } from './field.tsx'
import styles from './select.module.css'

export interface SelectProps<Value extends string> {
  label: string
  labelHidden?: boolean
  hint?: string
  error?: string | null
  value: Value
  /** `lang` for labels in another language. */
  options: readonly { value: Value; label: string; lang?: string }[]
  disabled?: boolean
  onValue: (value: Value) => void
  className?: string
}

/** A native `<select>`. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, labelHidden, hint, error, value, options, disabled, onValue, className } = props
  return (
    <Field label={label} labelHidden={labelHidden} hint={hint} error={error} className={className}>
      {(ids) => (
        <div className="relative" data-part="select">
          <select
            {...ids}
            className={styles.select}
            value={value}
            disabled={disabled}
            onChange={(event) => {
              const chosen = options.find((option) => option.value === event.target.value)
              if (chosen) onValue(chosen.value)
            }}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value} lang={option.lang}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown size={17} className={styles.arrow} aria-hidden />
        </div>
      )}
    </Field>
  )
}
