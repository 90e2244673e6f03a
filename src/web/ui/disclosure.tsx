import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './disclosure.module.css'

export interface DisclosureProps {
  label: ReactNode
  /** A short word at the end of the line, such as a count. */
  note?: string
  /** Open from the start. */
  open?: boolean
  children: ReactNode
}

/** A line that opens to show more. The browser's own, so that searching the page finds what is folded. */
export function Disclosure({ label, note, open, children }: DisclosureProps) {
  return (
    <details className={styles.disclosure} open={open} data-part="disclosure">
      <summary className={styles.summary}>
        <span className={styles.words}>
          <span className={styles.label}>{label}</span>
          {note && (
            <span className={styles.note} data-part="disclosure-note">
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
