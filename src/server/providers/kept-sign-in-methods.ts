import type { Kysely } from 'kysely'
import type { Bus } from '../bus/bus.ts'
import { keptUntilWritten } from '../db/kept-until-written.ts'
import type { Schema } from '../db/schema.ts'

/** Another server's change is noticed after this long, if its event was lost. */
const KEPT_MS = 10_000

export interface KeptSignInMethodsDeps {
  readonly db: Kysely<Schema>
  readonly clock: () => Date
  readonly bus: Bus
}

/** Providers or directories as they were last read, until somebody changes any of them, here or on another server. */
export function keptSignInMethods<T>(read: () => Promise<T>, { db, clock, bus }: KeptSignInMethodsDeps) {
  const { read: all, written, forget } = keptUntilWritten(db, read, { forMs: KEPT_MS, clock })
  bus.on('sign-in-methods.changed', forget)
  return {
    all,
    /** Waits for a change that other servers need not know at once. */
    written,
    /** Waits for a change, and tells all servers of it. */
    async changed<R>(work: Promise<R>): Promise<R> {
      const result = await written(work)
      bus.announce('sign-in-methods.changed', {})
      return result
    },
  }
}
