import { CircleAlert, CircleCheck } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classes } from './classes.ts'
import styles from './field.module.css'

export interface FieldProps {
  label: string
  hint?: string
  error?: string | null
  /** Success message, such as "Passwords match". */
  success?: string | null
  /** A word beside a label that is shown: it comes and goes without moving anything. */
  note?: ReactNode
  /** Keeps the label for assistive technology only. */
  labelHidden?: boolean
  className?: string
  /** Renders the control with the ids that associate it with label, hint and error. */
  children: (ids: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }) => ReactNode
}

/** Label above, control, then hint, error or good news below. */
export function Field({ label, hint, error, success, note, labelHidden, className, children }: FieldProps) {
  const id = useId()
  const below = (error ?? success ?? hint ?? null) !== null
  return (
    <div className={classes('grid gap-3 shrinkable', className)} data-part="field">
      {labelHidden ? (
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
      ) : (
        <div className={styles.head}>
          <label htmlFor={id} className={styles.label}>
            {label}
          </label>
          {note !== undefined && (
            <div className={styles.note} aria-live="polite">
              {note}
            </div>
          )}
        </div>
      )}
      {children({ id, 'aria-describedby': below ? `${id}-below` : undefined, 'aria-invalid': error ? true : undefined })}
      {/* The live region exists from the start, so that messages are announced. */}
      <div id={`${id}-below`} className={styles.below} aria-live="polite">
        {error ? (
          <FieldMessage tone="error" text={error} />
        ) : success ? (
          <FieldMessage tone="success" text={success} />
        ) : hint ? (
          <p className="text-caption faint">{hint}</p>
        ) : null}
      </div>
    </div>
  )
}

export function FieldMessage({ tone, text }: { tone: 'error' | 'success'; text: string }) {
  return (
    <p className={classes(styles.message, styles[tone])}>
      {tone === 'error' ? <CircleAlert size={16} aria-hidden /> : <CircleCheck size={16} aria-hidden />}
      <span>{text}</span>
    </p>
  )
}
