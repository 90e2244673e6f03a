import { isAppError } from '../../../shared/errors.ts'
import { backOff, waitUntilReachable as pollHealth } from '../reachable.ts'

export interface RetryOptions {
  /** Retries while the server is reachable. */
  readonly retries: number
  readonly signal: AbortSignal
  /** Delay before the nth attempt; replaced in tests. */
  readonly pause?: (attempt: number, signal: AbortSignal) => Promise<void>
  /** The server became unreachable, or reachable again. */
  readonly onOffline?: (offline: boolean) => void
  /** Resolves when the server responds; rejects if it never will. */
  readonly waitUntilReachable?: (signal: AbortSignal) => Promise<void>
}

/** Attempts, one per second, for an upload that is locked by another request; a dead server's lock expires after three seconds. */
const BUSY_TRIES = 20
const PASSING = new Set<string>(['wrong-offset', 'too-many-requests', 'storage-busy'])

/**
 * Retries transient errors. Waits as long as the server is unreachable, so that a closed laptop or a restart fails nothing; otherwise the number of
 * attempts is limited and reset by progress.
 */
export async function withRetry<T>(options: RetryOptions, work: (progressed: () => void) => Promise<T>): Promise<T> {
  const { retries, signal, pause = backOff, waitUntilReachable = pollHealth } = options
  let busy = 0
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(() => (attempt = busy = 0))
    } catch (error) {
      if (isAppError(error, 'busy') && ++busy <= BUSY_TRIES) {
        attempt -= 1
        await pause(1, signal)
        continue
      }
      const dead = isAppError(error, 'offline')
      const passing = dead || (isAppError(error) && PASSING.has(error.code))
      if (!passing || attempt > retries) throw error
      // The first retry is immediate: most dropped connections are back at once.
      if (dead) {
        options.onOffline?.(true)
        await waitUntilReachable(signal).finally(() => options.onOffline?.(false))
      }
      if (!dead || attempt > 1) await pause(attempt, signal)
    }
  }
}
