import { useId } from 'react'
import { classes } from './classes.ts'
import styles from './switch.module.css'

export interface SwitchProps {
  label: string
  hint?: string
  checked: boolean
  disabled?: boolean
  onChecked: (checked: boolean) => void
  className?: string
}

/** A labelled switch in a 44 px row. */
export function Switch({ label, hint, checked, disabled, onChecked, className }: SwitchProps) {
  const hintId = useId()
  return (
    <label className={classes(styles.row, className)} data-part="switch">
      <span className="text-name">
        {label}
        {hint && (
          <span id={hintId} className="text-caption faint block">
            {hint}
          </span>
        )}
      </span>
      <input
        type="checkbox"
        role="switch"
        className={styles.input}
        checked={checked}
        disabled={disabled}
        aria-label={label}
        aria-describedby={hint ? hintId : undefined}
        onChange={(event) => onChecked(event.target.checked)}
      />
    </label>
  )
}
