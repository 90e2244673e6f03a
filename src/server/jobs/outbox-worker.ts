import { type OutboxJob, type Outbox, MAX_ATTEMPTS, type AttemptResult } from './outbox.ts'

/** Makes one attempt. A failure is a result, not an exception; `signal` is aborted when the server stops. */
export type JobHandler = (job: OutboxJob, signal: AbortSignal) => Promise<AttemptResult>

export interface OutboxWorkerOptions {
  readonly outbox: Outbox
  readonly handlers: Readonly<Record<string, JobHandler>>
  readonly log: (line: string) => void
  /** Concurrent jobs, besides those attempted by id. */
  readonly concurrency: number
  /** How often it checks by itself, in milliseconds. */
  readonly pollMs: number
}

/** Claims jobs and runs them. Several servers may share one table: each job is run by one at a time. */
export function createOutboxWorker({ outbox, handlers, log, concurrency, pollMs }: OutboxWorkerOptions) {
  const kinds = Object.keys(handlers)
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let busy = 0

  async function perform(job: OutboxJob): Promise<void> {
    const result = await attemptOnce(job)
    // An attempt that was aborted because we stop is not a failure of the job, so it is never its last attempt.
    const cutOff = stopping.signal.aborted && !result.done
    const most = result.maxAttempts ?? MAX_ATTEMPTS
    await outbox.finish(cutOff ? { ...job, attempts: Math.min(job.attempts, most - 1) } : job, result)
  }

  async function attemptOnce(job: OutboxJob): Promise<AttemptResult> {
    try {
      return (await handlers[job.kind]?.(job, stopping.signal)) ?? { done: false, report: `nobody does ${job.kind}` }
    } catch (error) {
      return { done: false, report: String(error) }
    }
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const job = await outbox.claim(kinds)
      if (job === null) return
      await perform(job)
    }
  }

  function track(work: Promise<void>): Promise<void> {
    const kept: Promise<void> = work.catch((error: unknown) => log(`jobs: ${String(error)}`)).finally(() => running.delete(kept))
    running.add(kept)
    return kept
  }

  function wake(): void {
    if (busy >= concurrency || stopping.signal.aborted) return
    busy++
    void track(loop().finally(() => busy--))
  }

  const looking = setInterval(wake, pollMs)
  return {
    /** Checks whether jobs are due and runs them in the background. */
    wake,
    /** Attempts this job now, unless it is claimed already. Never fails. */
    attempt: (id: string): Promise<void> =>
      track(
        (async () => {
          const job = await outbox.take(id)
          if (job !== null) await perform(job)
        })(),
      ),
    /** Aborts running jobs; they are attempted again after a restart. */
    async stop(): Promise<void> {
      clearInterval(looking)
      stopping.abort()
      await Promise.all(running)
    },
  }
}
