import { type ReactNode, useId } from 'react'
import styles from './section.module.css'

/** A titled part of a long form, framed as the cards of the profile are. */
export function Section({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {text && <p className={styles.text}>{text}</p>}
      </div>
      {children}
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
