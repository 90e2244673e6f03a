import { isOpen, type Upload } from '../../data/uploads/queue.ts'

/** Rows the tray draws at most: ten thousand dropped files are a number, not ten thousand elements. */
const MAX_ROWS = 40

export interface Summary {
  readonly count: number
  readonly done: number
  readonly failed: number
  /** Waiting or under way. */
  readonly open: number
  /** Of all that are not given up, with what has left of them. */
  readonly bytes: number
  readonly sent: number
}

export function summarise(uploads: readonly Upload[]): Summary {
  const summary = { count: uploads.length, done: 0, failed: 0, open: 0, bytes: 0, sent: 0 }
  for (const { state, size, sent } of uploads) {
    if (state === 'done') summary.done += 1
    if (state === 'failed') summary.failed += 1
    if (isOpen(state)) summary.open += 1
    if (state !== 'done' && !isOpen(state)) continue
    summary.bytes += size
    summary.sent += sent
  }
  return summary
}

/** What matters first: what failed, what runs, what waits, then what has ended, newest first. */
export function toShow(uploads: readonly Upload[]): { shown: Upload[]; more: number } {
  const rank = { failed: 0, active: 1, waiting: 2, cancelled: 3, skipped: 3, done: 4 }
  const sorted = uploads.toSorted((a, b) => rank[a.state] - rank[b.state] || (rank[a.state] < 3 ? a.id - b.id : b.id - a.id))
  return { shown: sorted.slice(0, MAX_ROWS), more: Math.max(0, sorted.length - MAX_ROWS) }
}
