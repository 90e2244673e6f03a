import type { Job } from '../../../shared/contract/jobs.ts'
import { isOpenJob } from '../../data/jobs.ts'
import { hasStopped, isOpen, type Upload, type UploadState } from '../../data/uploads/queue.ts'

/** Rows rendered beyond the visible ones. */
const OVERSCAN_ROWS = 4

export interface Summary {
  readonly count: number
  readonly done: number
  readonly failed: number
  /** Failed or cancelled. */
  readonly stopped: number
  readonly paused: number
  /** Waiting, paused or active. */
  readonly open: number
  /** Total and sent bytes of all uploads that were not cancelled. */
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

/** Overall progress of the running jobs, from 0 to 1; null if one of them is unknown. */
export function progressOf(jobs: readonly Pick<Job, 'state' | 'total' | 'done'>[]): number | null {
  let [all, come] = [0, 0]
  for (const { total, done } of jobs.filter(isOpenJob)) {
    if (total === null) return null
    all += total
    come += done
  }
  return all === 0 ? null : come / all
}

/** Failed first, then active, waiting and finished, newest first. */
export function sortUploads(uploads: readonly Upload[]): Upload[] {
  // Bucket sort: this runs ten times a second for up to 10,000 uploads.
  const baskets: Record<UploadState, Upload[]> = { failed: [], active: [], waiting: [], paused: [], cancelled: [], skipped: [], done: [] }
  for (const upload of uploads) baskets[upload.state].push(upload)
  const { failed, active, paused, waiting, cancelled, skipped, done } = baskets
  return [...failed, ...active, ...paused, ...waiting, ...cancelled.reverse(), ...skipped.reverse(), ...done.reverse()]
}

/**
 * The rows to render, all of equal height: 10,000 uploads need only a scroll bar.
 * @param options in pixels: scroll position, viewport height, row height
 */
export function visibleRows(
  count: number,
  { top, window, row }: { top: number; window: number; row: number },
): { from: number; to: number } {
  const from = Math.max(0, Math.min(Math.floor(top / row), count) - OVERSCAN_ROWS)
  return { from, to: Math.min(count, Math.ceil((top + window) / row) + OVERSCAN_ROWS) }
}
