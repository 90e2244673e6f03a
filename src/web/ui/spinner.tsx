import styles from './spinner.module.css'

/** A spinner, hidden from assistive technology: callers announce the loading state. */
export function Spinner({ size = 24 }: { size?: number }) {
  return (
    <svg className={styles.spinner} data-part="spinner" width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden>
      <circle className={styles.track} cx="12" cy="12" r="9" strokeWidth="2.5" />
      <path d="M12 3a9 9 0 0 1 9 9" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  )
}
