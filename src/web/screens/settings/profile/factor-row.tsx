import { type ReactNode, useId } from 'react'
import styles from './factor-row.module.css'

/** One kind of second factor. */
export function FactorGroup({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.group} aria-labelledby={id}>
      <h3 id={id} className={styles.title}>
        {title}
      </h3>
      <ul className={styles.rows}>{children}</ul>
    </section>
  )
}

/** @param more what else is known, each in a text of its own; empty ones are left out */
export function FactorRow({ name, more, action }: { name: string | null; more: readonly string[]; action: ReactNode }) {
  return (
    <li className={styles.row}>
      <div className="grow shrinkable break-anywhere">
        {name !== null && (
          <p className="text-name">
            <bdi>{name}</bdi>
          </p>
        )}
        {more.some((text) => text !== '') && (
          <p className={styles.more}>
            {more
              .filter((text) => text !== '')
              .map((text) => (
                <bdi key={text}>{text}</bdi>
              ))}
          </p>
        )}
      </div>
      {action}
    </li>
  )
}
