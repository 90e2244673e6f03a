import type { Job } from '../../../shared/contract/jobs.ts'
import { isOpenJob } from '../../data/jobs.ts'
import { hasStopped, isOpen, type Upload, type UploadState } from '../../data/uploads/queue.ts'

/** Rows that are drawn beyond the edges, so that scrolling meets no gap. */
const ROWS_AHEAD = 4

export interface Summary {
  readonly count: number
  readonly done: number
  readonly failed: number
  /** Failed or cancelled. */
  readonly stopped: number
  readonly paused: number
  /** Waiting, paused or under way. */
  readonly open: number
  /** Of all that are not given up, with what has left of them. */
  readonly bytes: number
  readonly sent: number
}

export function summarise(uploads: readonly Upload[]): Summary {
  const summary = { count: uploads.length, done: 0, failed: 0, stopped: 0, paused: 0, open: 0, bytes: 0, sent: 0 }
  for (const { state, size, sent } of uploads) {
    if (state === 'done') summary.done += 1
    if (state === 'failed') summary.failed += 1
    if (state === 'paused') summary.paused += 1
    if (hasStopped(state)) summary.stopped += 1
    if (isOpen(state)) summary.open += 1
    if (state !== 'done' && !isOpen(state)) continue
    summary.bytes += size
    summary.sent += sent
  }
  return summary
}

/** How far all long deeds that are under way have come, from 0 to 1; null while one of them cannot say. */
export function progressOf(jobs: readonly Pick<Job, 'state' | 'total' | 'done'>[]): number | null {
  let [all, come] = [0, 0]
  for (const { total, done } of jobs.filter(isOpenJob)) {
    if (total === null) return null
    all += total
    come += done
  }
  return all === 0 ? null : come / all
}

/** What matters first: what failed, what runs, what waits, then what has ended, newest first. */
export function inOrder(uploads: readonly Upload[]): Upload[] {
  // Into baskets instead of a sort: this is done ten times a second for ten thousand of them.
  const baskets: Record<UploadState, Upload[]> = { failed: [], active: [], waiting: [], paused: [], cancelled: [], skipped: [], done: [] }
  for (const upload of uploads) baskets[upload.state].push(upload)
  const { failed, active, paused, waiting, cancelled, skipped, done } = baskets
  return [...failed, ...active, ...paused, ...waiting, ...cancelled.reverse(), ...skipped.reverse(), ...done.reverse()]
}

/**
 * The rows to draw, all of one height: ten thousand dropped files are a scroll bar, not ten thousand elements.
 * @param options in pixels: how far the list is scrolled, and how high its window and one row are
 */
export function rowsInSight(
  count: number,
  { top, window, row }: { top: number; window: number; row: number },
): { from: number; to: number } {
  const from = Math.max(0, Math.min(Math.floor(top / row), count) - ROWS_AHEAD)
  return { from, to: Math.min(count, Math.ceil((top + window) / row) + ROWS_AHEAD) }
}
