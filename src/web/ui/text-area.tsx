import type { TextareaHTMLAttributes } from 'react'
import { classes } from './classes.ts'
import { Field } from './field.tsx'
import styles from './text-area.module.css'

export interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value'> {
  label: string
  labelHidden?: boolean
  hint?: string
  error?: string | null
  value: string
  onValue: (value: string) => void
  /** Monospace, for commands and patterns. */
  mono?: boolean
}

/** Multi-line text field. */
export function TextArea({ label, labelHidden, hint, error, value, onValue, mono, className, ...rest }: TextAreaProps) {
  return (
    <Field label={label} labelHidden={labelHidden} hint={hint} error={error} className={className}>
      {(ids) => (
        <textarea
          dir={mono ? 'ltr' : value === '' ? undefined : 'auto'}
          rows={3}
          {...rest}
          {...ids}
          value={value}
          onChange={(event) => onValue(event.target.value)}
          className={classes(styles.area, mono && styles.mono, error && styles.invalid)}
          data-part="text-area"
        />
      )}
    </Field>
  )
}
