import { type ReactNode, useId } from 'react'
import styles from './section.module.css'

/** A titled part of a long form: what it is about at the start, its fields in a card beside it. */
export function Section({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {text && <p className={styles.text}>{text}</p>}
      </div>
      <div className={styles.card}>{children}</div>
    </section>
  )
}

/** A smaller part of a section. */
export function Part({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.part} aria-labelledby={id}>
      <div>
        <h3 id={id} className={styles.partTitle}>
          {title}
        </h3>
        {text && <p className={styles.text}>{text}</p>}
      </div>
      {children}
    </section>
  )
}
