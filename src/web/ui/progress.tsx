import { classes } from './classes.ts'
import styles from './progress.module.css'

export interface ProgressProps {
  /** Accessible name. */
  label: string
  /** From 0 to 1; null if indeterminate. */
  value: number | null
  tone?: 'accent' | 'success' | 'warning' | 'danger'
}

/** A progress bar. */
export function Progress({ label, value, tone = 'accent' }: ProgressProps) {
  const part = value === null ? null : Math.min(1, Math.max(0, value))
  const space: Record<`--${string}`, string> = { '--part': String(part ?? 0) }
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={part === null ? undefined : Math.round(part * 100)}
      className={classes(styles.track, styles[tone], part === null && styles.unknown)}
      data-part="progress"
    >
      <div className={styles.bar} style={space} />
    </div>
  )
}
