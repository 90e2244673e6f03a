import { formatDateExact } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import styles from './trash-grid.module.css'

const DAY_MS = 86_400_000

/** How long something stays in the trash. @param long in words that need no heading */
export function TimeLeft({ expiresAt, long = false }: { expiresAt: string | null; long?: boolean }) {
  if (expiresAt === null) return <span aria-hidden>–</span>
  const date = new Date(expiresAt)
  const days = daysUntil(date, new Date())
  const last = days <= 1
  return (
    <time dateTime={expiresAt} title={formatDateExact(date)} className={last ? styles.last : undefined}>
      <bdi>{last ? t('share.last-day') : t(long ? 'trash.left' : 'trash.days', { count: days })}</bdi>
    </time>
  )
}

/** Days until `date`, rounded up: 1 for an hour. */
export function daysUntil(date: Date, now: Date): number {
  return Math.max(0, Math.ceil((date.getTime() - now.getTime()) / DAY_MS))
}
