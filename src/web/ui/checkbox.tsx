import type { InputHTMLAttributes, ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './checkbox.module.css'

export interface CheckboxProps {
  label: ReactNode
  checked: boolean
  disabled?: boolean
  onChecked: (checked: boolean) => void
  className?: string
}

export function Checkbox({ label, checked, disabled, onChecked, className }: CheckboxProps) {
  return (
    <label className={classes(styles.row, className)} data-part="checkbox">
      <CheckboxInput checked={checked} disabled={disabled} onChange={(event) => onChecked(event.target.checked)} />
      <span>{label}</span>
    </label>
  )
}

/** The input alone, for callers that label it themselves. */
export function CheckboxInput({ mixed, ...rest }: InputHTMLAttributes<HTMLInputElement> & { mixed?: boolean | undefined }) {
  return (
    <input
      {...rest}
      type="checkbox"
      className={styles.input}
      ref={(input) => {
        // `indeterminate` exists as a property only.
        if (input) input.indeterminate = mixed === true
      }}
    />
  )
}
