import { AppError, isAppError } from '../shared/errors.ts'

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 15_000

/** How long to go on without a server, or against a lost connection. */
export interface Patience {
  /** Without progress; two minutes by default. */
  patienceMs?: number
  signal?: AbortSignal
}

/** Waits after failures that may pass, longer each time, and throws the others. */
export function createRetry({ patienceMs = 120_000, signal }: Patience): { failed(error: unknown): Promise<void>; progressed(): void } {
  let waitMs = FIRST_WAIT_MS
  let since: number | null = null
  return {
    async failed(error) {
      since ??= Date.now()
      if (!mayPass(error) || signal?.aborted || Date.now() - since + waitMs > patienceMs) throw error
      await pause(waitMs, signal)
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
    },
    progressed() {
      waitMs = FIRST_WAIT_MS
      since = null
    },
  }
}

/** What reading an answer failed with: runtimes have errors of their own for a lost connection. */
export function asLost(error: unknown): unknown {
  const isAbort = error instanceof DOMException && error.name === 'AbortError'
  return isAbort || isAppError(error) ? error : new AppError('offline', {}, { cause: error })
}

/** What a proxy answers while its server is away, and an answer to HEAD, which has no body, come as `unexpected` with the status. */
function mayPass(error: unknown): boolean {
  if (isAppError(error, 'unexpected')) return /^(429|50[234])$/.test(error.detail.incident)
  return (['offline', 'busy', 'storage-busy', 'too-many-requests', 'wrong-offset'] as const).some((code) => isAppError(error, code))
}

/** Ends early when `signal` is aborted; what is asked next fails then. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}
