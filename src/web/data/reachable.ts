import { useEffect, useEffectEvent } from 'react'
import { isAppError } from '../../shared/errors.ts'
import { pageConfig } from './page-config.ts'

const LONGEST_WAIT_MS = 5000

/** After an error of the connection, retries once the server responds again. */
export function useRetryWhenReachable(error: unknown, onReachable: () => void): void {
  const retry = useEffectEvent(onReachable)
  useEffect(() => {
    if (!isAppError(error, 'offline')) return
    const left = new AbortController()
    void retryLater(left.signal, retry)
    return () => left.abort()
  }, [error])
}

async function retryLater(signal: AbortSignal, retry: () => void): Promise<void> {
  try {
    await backOff(1, signal)
    await waitUntilReachable(signal)
  } catch {
    return
  }
  retry()
}

/** Polls the health endpoint until it responds: after ½, 1, 2, 4, 5, 5 … seconds, and on `online` events. */
export async function waitUntilReachable(signal: AbortSignal): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(`${pageConfig.BaseURL}/health`, {
      cache: 'no-store',
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    }).catch(() => null)
    if (answer?.ok === true) return
    await backOff(attempt, signal)
  }
}

/** 1, 2, 4, then 5 seconds, or until an `online` event. */
export function backOff(attempt: number, signal: AbortSignal): Promise<void> {
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
