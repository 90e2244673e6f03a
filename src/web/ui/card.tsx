import type { ReactNode } from 'react'
import styles from './card.module.css'

/** A titled section of a page. Never nested. */
export function Card({ title, text, footer, children }: CardProps) {
  return (
    <section className={styles.card} data-part="card">
      {title && <h2 className={styles.title}>{title}</h2>}
      {text && <p className={styles.text}>{text}</p>}
      <div className={styles.body}>{children}</div>
      {footer && <div className={styles.footer}>{footer}</div>}
    </section>
  )
}

export interface CardProps {
  title?: string
  text?: string
  footer?: ReactNode
  children: ReactNode
}
