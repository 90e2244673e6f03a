import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import { classes } from './classes.ts'
import { Field } from './field.tsx'
import styles from './text-field.module.css'

export interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'size'> {
  ref?: Ref<HTMLInputElement>
  label: string
  labelHidden?: boolean
  hint?: string
  note?: ReactNode
  error?: string | null
  success?: string | null
  /** Colours the box where the words stand at another field. */
  tone?: 'error' | 'success' | null
  value: string
  onValue: (value: string) => void
  /** Sits inside the box, before the text: a sign of what it is for. */
  start?: ReactNode
  /** Sits inside the box, after the text: a reveal or copy button. */
  end?: ReactNode
}

export function TextField(props: TextFieldProps) {
  const { label, labelHidden, hint, note, error, success, tone, value, onValue, start, end, className, ...rest } = props
  return (
    <Field label={label} labelHidden={labelHidden} hint={hint} note={note} error={error} success={success} className={className}>
      {(ids) => (
        <div
          className={classes(styles.box, (error || tone === 'error') && styles.invalid, (success || tone === 'success') && styles.valid)}
          data-part="text-field"
        >
          {start !== undefined && <span className={styles.start}>{start}</span>}
          <input
            // What is typed has its own direction; until then it is the page's.
            dir={value === '' ? undefined : 'auto'}
            {...rest}
            {...ids}
            value={value}
            onChange={(event) => onValue(event.target.value)}
            className={styles.input}
          />
          {end}
        </div>
      )}
    </Field>
  )
}
