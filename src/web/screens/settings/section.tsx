import { type ReactNode, useId } from 'react'
import styles from './section.module.css'

/** A section of a form: title and description at the start, fields in a card beside them. */
export function Section({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id} className="text-section tracking-none">
          {title}
        </h2>
        {text && <p className="muted text-small">{text}</p>}
      </div>
      <div className={styles.card}>{children}</div>
    </section>
  )
}

/** A subsection. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h3 id={id} className="text-name strong tracking-none">
        {title}
      </h3>
      {children}
    </section>
  )
}
