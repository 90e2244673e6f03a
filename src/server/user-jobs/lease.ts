import { LEASE_MS, RENEW_MS, type UserJobStore } from '../jobs/user-job-store.ts'

export interface LeaseDeps {
  readonly store: Pick<UserJobStore, 'renew'>
  /** How far it is. */
  readonly report: () => string
  readonly onCancelled: () => void
  /** Another server may run it by now. */
  readonly onLost: () => void
  readonly log: (line: string) => void
}

/** Tells the other servers that a job is held here, as long as this is so. Dispose it when the job has ended. */
export function holdJob(id: string, { store, report, onCancelled, onLost, log }: LeaseDeps): Disposable {
  // A monotonic clock.
  let heldAt = performance.now()

  async function renew(): Promise<void> {
    const asked = performance.now()
    const answer = await store.renew(id, report())
    if (answer === 'lost') onLost()
    if (answer === 'cancelled') onCancelled()
    heldAt = asked
  }

  const renewal = setInterval(() => {
    void renew().catch((error: unknown) => {
      // The database is away: before the lease ends, so does the job.
      if (performance.now() - heldAt > LEASE_MS - 2 * RENEW_MS) onLost()
      log(`job ${id}: ${String(error)}`)
    })
  }, RENEW_MS)
  return { [Symbol.dispose]: () => clearInterval(renewal) }
}
