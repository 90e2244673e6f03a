import { hasStopped, isOpen, type Upload, type UploadState } from '../../data/uploads/queue.ts'

/** Rows the tray draws at most: ten thousand dropped files are a number, not ten thousand elements. */
const MAX_ROWS = 40

export interface Summary {
  readonly count: number
  readonly done: number
  readonly failed: number
  /** Failed or cancelled. */
  readonly stopped: number
  /** Waiting or under way. */
  readonly open: number
  /** Of all that are not given up, with what has left of them. */
  readonly bytes: number
  readonly sent: number
}

export function summarise(uploads: readonly Upload[]): Summary {
  const summary = { count: uploads.length, done: 0, failed: 0, stopped: 0, open: 0, bytes: 0, sent: 0 }
  for (const { state, size, sent } of uploads) {
    if (state === 'done') summary.done += 1
    if (state === 'failed') summary.failed += 1
    if (hasStopped(state)) summary.stopped += 1
    if (isOpen(state)) summary.open += 1
    if (state !== 'done' && !isOpen(state)) continue
    summary.bytes += size
    summary.sent += sent
  }
  return summary
}

/** What matters first: what failed, what runs, what waits, then what has ended, newest first. */
export function toShow(uploads: readonly Upload[]): { shown: Upload[]; more: number } {
  const shown: Upload[] = []
  // By passes instead of a sort: this is drawn ten times a second.
  for (const wanted of ['failed', 'active', 'waiting'] as const)
    for (let at = 0; at < uploads.length && shown.length < MAX_ROWS; at++) take(uploads[at], [wanted])
  for (const wanted of [['cancelled', 'skipped'], ['done']] as const)
    for (let at = uploads.length - 1; at >= 0 && shown.length < MAX_ROWS; at--) take(uploads[at], wanted)
  return { shown, more: uploads.length - shown.length }

  function take(upload: Upload | undefined, wanted: readonly UploadState[]): void {
    if (upload !== undefined && wanted.includes(upload.state)) shown.push(upload)
  }
}
