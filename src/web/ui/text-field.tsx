import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
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
  /** Colour of the box if the message is shown at another field; an error of its own wins. */
  tone?: 'error' | 'success' | null
  /** For names, paths and codes: the keyboard neither capitalises nor corrects, and nothing is marked as misspelt. */
  verbatim?: boolean
  value: string
  onValue: (value: string) => void
  /** Inside the box, before the text. */
  start?: ReactNode
  /** Inside the box, after the text. */
  end?: ReactNode
}

export function TextField(props: TextFieldProps) {
  const { label, labelHidden, hint, note, error, success, tone, verbatim, value, onValue, start, end, className, ...rest } = props
  // As in the text below: an error wins.
  const look = error ? 'error' : success ? 'success' : tone
  return (
    <Field label={label} labelHidden={labelHidden} hint={hint} note={note} error={error} success={success} className={className}>
      {(ids) => (
        <div className={styles.box} data-part="text-field" data-tone={look ?? undefined}>
          {start !== undefined && <span className={styles.start}>{start}</span>}
          <input
            // Direction of the typed text; the page's while empty.
            dir={value === '' ? undefined : 'auto'}
            {...(verbatim && { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false })}
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
