import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './checkbox.module.css'

export interface CheckboxProps {
  label: ReactNode
  /** For cells of a list: the label is read, not shown. */
  labelHidden?: boolean
  checked: boolean
  /** Some, not all. */
  mixed?: boolean
  disabled?: boolean
  onChecked: (checked: boolean) => void
  className?: string
}

export function Checkbox({ label, labelHidden, checked, mixed, disabled, onChecked, className }: CheckboxProps) {
  return (
    <label className={classes(styles.row, className)} data-part="checkbox">
      <input
        type="checkbox"
        className={styles.input}
        checked={checked}
        disabled={disabled}
        ref={(input) => {
          // `indeterminate` exists as a property only.
          if (input) input.indeterminate = mixed === true
        }}
        onChange={(event) => onChecked(event.target.checked)}
      />
      <span className={labelHidden ? 'sr-only' : undefined}>{label}</span>
    </label>
  )
}
