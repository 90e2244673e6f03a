import { AppError, isAppError } from '../../../shared/errors.ts'
import { BULK_FROM_FILES, MAX_BULK_BYTES, MAX_BULK_FILE_BYTES, MAX_BULK_FILES, UPLOAD_SLOTS } from '../../../shared/limits.ts'
import { yieldToMain } from '../yield-to-main.ts'
import type { Job } from './send.ts'

/** One file that is ready to go with others. */
export interface Passenger {
  readonly job: Job
  readonly override: boolean
  readonly signal: AbortSignal
  /** Bytes of this file that have left so far. */
  readonly onProgress: (sent: number) => void
  /** Sends it by itself. */
  readonly alone: () => Promise<void>
}

/** A file's place in a request that it shares. Whoever has one either sends or leaves: the others wait for it. */
export interface Seat {
  /** Resolves when the file is at its place, by the shared request or, where that was not to be, by itself. */
  send(passenger: Passenger): Promise<void>
  leave(): void
}

/** Sends them all. @returns for each, in their order, null or why it is not there */
export type BulkRequest = (
  passengers: readonly Passenger[],
  options: { signal: AbortSignal; onProgress: (sent: number) => void },
) => Promise<readonly (AppError | null)[]>

/** How many of those first in line share a request: 1 where that would gain nothing. */
export function bulkCount(line: Iterable<Job>, waiting: number): number {
  if (waiting < BULK_FROM_FILES) return 1
  // Few enough that every slot gets its part.
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

/** @param seats how many will share the request, which begins as soon as each of them is ready or has left */
export function createBulk(seats: number, request: BulkRequest): { seat(): Seat } {
  const waiting: { passenger: Passenger; settle: PromiseWithResolvers<void> }[] = []
  let open = seats
  let isGone = false
  let turn: Promise<void> = Promise.resolve()

  /** One after the other: a request that fails is not to become fifty at once. */
  function alone({ alone: send, signal }: Passenger): Promise<void> {
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
    if (waiting.length > 0) void carry()
  }

  async function carry(): Promise<void> {
    if (waiting.length === 1) return waiting.forEach(({ passenger, settle }) => settle.resolve(alone(passenger)))
    const all = waiting.map(({ passenger }) => passenger)
    const stop = stopWithAll(all.map(({ signal }) => signal))
    // Bodies of many files take the browser a moment each, and five requests begin together.
    await yieldToMain()
    try {
      stop.throwIfAborted()
      const failures = await request(all, { signal: stop, onProgress: (sent) => spread(all, sent) })
      for (const [at, { settle }] of waiting.entries()) {
        const failure = failures[at]
        if (failure === null) settle.resolve()
        else settle.reject(failure ?? new AppError('unexpected', { incident: 'bulk' }))
      }
    } catch (error) {
      const forAll = stop.aborted || isAppError(error, 'sign-in-needed')
      for (const { passenger, settle } of waiting) {
        if (forAll) settle.reject(error)
        else settle.resolve(alone(passenger))
      }
    }
  }

  return {
    seat() {
      let taken = false
      const take = (): void => {
        if (!taken) open -= 1
        taken = true
      }
      return {
        send(passenger) {
          // The shared request is gone: somebody was asked about a taken name meanwhile.
          if (taken) return alone(passenger)
          const settle = Promise.withResolvers<void>()
          waiting.push({ passenger, settle })
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

/** Says stop when every one of them has: what is taken back alone goes along, and is told of as what became of it. */
function stopWithAll(signals: readonly AbortSignal[]): AbortSignal {
  const control = new AbortController()
  const look = (): void => {
    if (signals.every(({ aborted }) => aborted)) control.abort(signals[0]?.reason)
  }
  for (const signal of signals) signal.addEventListener('abort', look, { once: true })
  look()
  return control.signal
}

/** The first bytes are those of the first file. @param sent of all files together */
function spread(passengers: readonly Passenger[], sent: number): void {
  let left = sent
  for (const { job, onProgress } of passengers) {
    if (left <= 0) return
    onProgress(Math.min(left, job.file.size))
    left -= job.file.size
  }
}
