import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

export interface EmptyStateProps {
  /** A large icon, about 72 px. */
  picture?: ReactNode
  title: string
  text?: ReactNode
  /** Action buttons. */
  children?: ReactNode
}

/** Empty state: message and actions. */
export function EmptyState({ picture, title, text, children }: EmptyStateProps) {
  return (
    <div className={styles.empty} data-part="empty">
      {picture && (
        <div className="space-below-5 faint" aria-hidden>
          {picture}
        </div>
      )}
      <h2 className={styles.title}>{title}</h2>
      {text && <p className={styles.text}>{text}</p>}
      {children && <div className={styles.actions}>{children}</div>}
    </div>
  )
}
