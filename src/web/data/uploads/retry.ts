import { isAppError } from '../../../shared/errors.ts'
import { pageConfig } from '../page-config.ts'

export interface RetryOptions {
  /** How often a request that fails while the server can be reached is tried again before its job fails. */
  readonly retries: number
  readonly signal: AbortSignal
  /** Waits before the nth try; tests do not wait. */
  readonly pause?: (attempt: number, signal: AbortSignal) => Promise<void>
  /** The server cannot be reached, or can again. */
  readonly onOffline?: (offline: boolean) => void
  /** Returns as soon as the server answers anything; fails when it never will. */
  readonly waitUntilReachable?: (signal: AbortSignal) => Promise<void>
}

/** How often, a second apart, an upload that somebody else holds is asked about: a server that died holds it for three seconds. */
const BUSY_TRIES = 20
const LONGEST_WAIT_MS = 5000

/**
 * Tries again what may pass by itself. A dead line is waited for as long as it takes, so that a closed laptop or a server that starts anew
 * fails nothing; while there is an answer, tries are counted, and any progress makes the count start anew.
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
      const passing = dead || isAppError(error, 'wrong-offset') || isAppError(error, 'too-many-requests')
      if (!passing || attempt > retries) throw error
      // The first time at once: most lines that drop are back before one has noticed.
      if (dead) {
        options.onOffline?.(true)
        await waitUntilReachable(signal).finally(() => options.onOffline?.(false))
      }
      if (!dead || attempt > 1) await pause(attempt, signal)
    }
  }
}

/** Asks the server for its health until it answers: after ½, 1, 2, 4, 5, 5 … seconds, and whenever the browser says that it is online again. */
async function pollHealth(signal: AbortSignal): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(`${pageConfig.BaseURL}/health`, {
      cache: 'no-store',
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    }).catch(() => null)
    if (answer?.ok === true) return
    await backOff(attempt, signal)
  }
}

/** 1, 2, 4 and then 5 seconds, or until the browser says that it is online again. */
function backOff(attempt: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, Math.min(LONGEST_WAIT_MS, 1000 * 2 ** (attempt - 1)))
    window.addEventListener('online', done)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    function done(): void {
      settle()
      resolve()
    }
    function stop(): void {
      settle()
      reject(new DOMException('aborted', 'AbortError'))
    }
    function settle(): void {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      signal.removeEventListener('abort', stop)
    }
  })
}
