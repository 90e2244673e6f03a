import { AppError, isAppError } from '../../../shared/errors.ts'
import { BULK_FROM_FILES, MAX_BULK_BYTES, MAX_BULK_FILE_BYTES, MAX_BULK_FILES, UPLOAD_SLOTS } from '../../../shared/limits.ts'
import { yieldToMain } from '../yield-to-main.ts'
import type { UploadItem } from './send.ts'

/** A file that is ready for a bulk request. */
export interface BulkItem {
  readonly job: UploadItem
  readonly override: boolean
  readonly signal: AbortSignal
  /** Bytes of this file sent so far. */
  readonly onProgress: (sent: number) => void
  /** Sends it on its own. */
  readonly sendAlone: () => Promise<void>
}

/** A file's slot in a bulk request. It must be used or left: the others wait for it. */
export interface BulkSlot {
  /** Resolves when the file is uploaded, by the bulk request or on its own. */
  send(item: BulkItem): Promise<void>
  leave(): void
}

/** Sends all files. @returns for each, in order, null or its error */
export type BulkRequest = (
  items: readonly BulkItem[],
  options: { signal: AbortSignal; onProgress: (sent: number) => void },
) => Promise<readonly (AppError | null)[]>

/** How many files from the head of the queue share a request; 1 if that gains nothing. */
export function bulkCount(line: Iterable<UploadItem>, waiting: number): number {
  if (waiting < BULK_FROM_FILES) return 1
  // Leave work for every slot.
  const most = Math.min(MAX_BULK_FILES, Math.ceil(waiting / UPLOAD_SLOTS))
  let count = 0
  let bytes = 0
  for (const { file } of line) {
    bytes += file.size
    if (count === most || file.size > MAX_BULK_FILE_BYTES || bytes > MAX_BULK_BYTES) break
    count += 1
  }
  return Math.max(1, count)
}

/** @param slots how many will share the request, which begins as soon as each of them is ready or has left */
export function createBulk(slots: number, request: BulkRequest): { slot(): BulkSlot } {
  const waiting: { item: BulkItem; settle: PromiseWithResolvers<void> }[] = []
  let open = slots
  let isGone = false
  let turn: Promise<void> = Promise.resolve()

  /** Sequential: a failed request must not become fifty parallel ones. */
  function alone({ sendAlone: send, signal }: BulkItem): Promise<void> {
    const mine = turn.then(() => {
      signal.throwIfAborted()
      return send()
    })
    turn = mine.catch(() => undefined)
    return mine
  }

  function startWhenAll(): void {
    if (open > 0 || isGone) return
    isGone = true
    if (waiting.length > 0) void run()
  }

  async function run(): Promise<void> {
    if (waiting.length === 1) return waiting.forEach(({ item, settle }) => settle.resolve(alone(item)))
    const all = waiting.map(({ item }) => item)
    const stop = abortWhenAll(all.map(({ signal }) => signal))
    // Building multipart bodies takes time, and five requests may start together.
    await yieldToMain()
    try {
      stop.throwIfAborted()
      const failures = await request(all, { signal: stop, onProgress: (sent) => distributeProgress(all, sent) })
      for (const [at, { settle }] of waiting.entries()) {
        const failure = failures[at]
        if (failure === null) settle.resolve()
        else settle.reject(failure ?? new AppError('unexpected', { incident: 'bulk' }))
      }
    } catch (error) {
      const forAll = stop.aborted || isAppError(error, 'sign-in-needed')
      for (const { item, settle } of waiting) {
        if (forAll) settle.reject(error)
        else settle.resolve(alone(item))
      }
    }
  }

  return {
    slot() {
      let taken = false
      const take = (): void => {
        if (!taken) open -= 1
        taken = true
      }
      return {
        send(item) {
          // The request was sent without it, because the user was asked about a conflict meanwhile.
          if (taken) return alone(item)
          const settle = Promise.withResolvers<void>()
          waiting.push({ item, settle })
          take()
          startWhenAll()
          return settle.promise
        },
        leave() {
          take()
          startWhenAll()
        },
      }
    },
  }
}

/** Aborts when all signals have; a single cancelled file is still sent and reported. */
function abortWhenAll(signals: readonly AbortSignal[]): AbortSignal {
  const control = new AbortController()
  const look = (): void => {
    if (signals.every(({ aborted }) => aborted)) control.abort(signals[0]?.reason)
  }
  for (const signal of signals) signal.addEventListener('abort', look, { once: true })
  look()
  return control.signal
}

/** Attributes sent bytes to the files in order. @param sent total of all files */
function distributeProgress(items: readonly BulkItem[], sent: number): void {
  let left = sent
  for (const { job, onProgress } of items) {
    if (left <= 0) return
    onProgress(Math.min(left, job.file.size))
    left -= job.file.size
  }
}
