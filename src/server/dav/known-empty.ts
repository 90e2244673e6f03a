import type { Kysely } from 'kysely'
import { isShared } from '../db/database-kind.ts'
import { externalWrites } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'

/** Lets pass what happens within a moment after this server found nothing at all. */
const KEPT_MS = 1000

export interface KnownEmptyOptions {
  readonly db: Kysely<Schema>
  readonly clock: () => Date
  /** Asks the database. */
  readonly isEmpty: () => Promise<boolean>
}

/** Whether a table is empty, as each change of a file asks. A database of one server need not be asked each time; one that several servers share is. */
export function knownEmpty({ db, clock, isEmpty }: KnownEmptyOptions) {
  let free: { readonly until: number; readonly elsewhere: number } | null = null
  // Counts writes of this server, so that a look that began before one is not kept.
  let writes = 0

  function forget(): void {
    writes += 1
    free = null
  }

  return {
    async ask(): Promise<boolean> {
      const now = clock().getTime()
      const elsewhere = externalWrites(db)
      if (free !== null && free.elsewhere === elsewhere && now < free.until && now >= free.until - KEPT_MS) return true
      const before = writes
      if (!(await isEmpty())) return false
      if (before === writes && !isShared(db)) free = { until: now + KEPT_MS, elsewhere }
      return before === writes
    },

    /** What adds rows. */
    async writing<T>(work: () => Promise<T>): Promise<T> {
      forget()
      try {
        return await work()
      } finally {
        forget()
      }
    },
  }
}
