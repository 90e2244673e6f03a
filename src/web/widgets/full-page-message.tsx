import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './failure.module.css'

/** A full-page message with actions. */
export function FullPageMessage({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className={styles.failure} role="alert">
      <span className={styles.icon} aria-hidden>
        <CircleAlert size={34} strokeWidth={1.6} />
      </span>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{text}</p>
      <div className={styles.actions}>{children}</div>
    </div>
  )
}
