import type { ReactNode } from 'react'
import styles from './welcome.module.css'

/** What a step has made, to be passed on. */
export function Result({ lines, children }: { lines: readonly { label: string; text: string }[]; children: ReactNode }) {
  return (
    <div className={styles.result} data-part="welcome-result">
      <dl>
        {lines.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <bdi>{text}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {children}
    </div>
  )
}
