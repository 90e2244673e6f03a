import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './disclosure.module.css'

export interface DisclosureProps {
  label: ReactNode
  /** Short text at the end of the summary, such as a count. */
  note?: string
  children: ReactNode
  /** At first. */
  open?: boolean
  /** Called each time it is opened. */
  onOpen?: () => void
}

/** A native `<details>`, so that find-in-page reaches its content. */
export function Disclosure({ label, note, open, children, onOpen }: DisclosureProps) {
  return (
    <details className={styles.disclosure} data-part="disclosure" open={open} onToggle={(event) => event.currentTarget.open && onOpen?.()}>
      <summary className={styles.summary}>
        <span className={styles.words}>
          <span className={styles.label}>{label}</span>
          {note && (
            <span className="faint text-caption" data-part="disclosure-note">
              {note}
            </span>
          )}
        </span>
        <ChevronDown size={17} strokeWidth={1.75} className={styles.arrow} aria-hidden />
      </summary>
      <div className={styles.body}>{children}</div>
    </details>
  )
}
