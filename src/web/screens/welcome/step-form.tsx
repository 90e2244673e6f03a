import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { FieldMessage } from '../../ui/field.tsx'
import styles from './welcome.module.css'

export interface StepFormProps {
  title: string
  text: string
  submit: string
  busy: boolean
  onSubmit: () => void
  /** Why it could not be done, if no field says so. */
  error?: string | null
  /** Ways on without it. */
  others?: ReactNode
  children?: ReactNode
}

/** One question: what it is about, its fields, one button to continue. */
export function StepForm({ title, text, submit, busy, onSubmit, error = null, others, children }: StepFormProps) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  // The keyboard goes where the next answer is, and a screen reader reads the question that it belongs to.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input:not([hidden]), select, [type=submit]')?.focus()
  }, [])
  const showProblem = () => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  // The answer has come, and it was no.
  useEffect(() => {
    if (!busy) showProblem()
  }, [busy])
  const onEnter = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    onSubmit()
    // Once it is drawn.
    setTimeout(showProblem)
  }
  return (
    <form ref={form} className={styles.step} onSubmit={onEnter} noValidate aria-labelledby={`${id}-title`} aria-describedby={`${id}-text`}>
      <header className="grid gap-4 break-anywhere">
        <h1 id={`${id}-title`} className={styles.title}>
          {title}
        </h1>
        <p id={`${id}-text`} className={styles.text}>
          {text}
        </p>
      </header>
      {children !== undefined && (
        <div className={styles.fields}>
          {children}
          <div role="alert" className={styles.alert}>
            {error !== null && <FieldMessage tone="error" text={error} />}
          </div>
        </div>
      )}
      <div className="grid gap-4">
        <Button label={submit} type="submit" variant="primary" size="large" wide busy={busy} />
        {others}
      </div>
    </form>
  )
}

/** Leaves this question out, or all that are left. */
export function SkipButtons({ onSkip, onSkipAll }: { onSkip: () => void; onSkipAll: (() => void) | null }) {
  return (
    <div className={styles.skips}>
      <Button label={t('welcome.skip')} variant="quiet" onClick={onSkip} />
      {onSkipAll !== null && <Button label={t('welcome.skip-rest')} variant="quiet" onClick={onSkipAll} />}
    </div>
  )
}
