import type { Kysely } from 'kysely'
import { externalWrites } from './database.ts'
import type { Schema } from './schema.ts'

export interface KeptOptions {
  /** A change by another machine is noticed after this long; never by default. */
  readonly forMs?: number
  /** A change by another process is noticed after this long; at once by default. For what is read after many requests: asking costs SQLite some calls. */
  readonly askedEveryMs?: number
  readonly clock?: () => Date
}

/** What is read often, and kept until somebody writes: here, through `written`, or in another process of this machine. */
export function keptUntilWritten<T>(
  db: Kysely<Schema>,
  read: () => Promise<T>,
  { forMs = Infinity, askedEveryMs = 0, clock = () => new Date() }: KeptOptions = {},
) {
  let kept: { readonly value: Promise<T>; readonly elsewhere: number; readonly until: number } | null = null
  let asked = 0
  return {
    async read(): Promise<T> {
      const now = clock().getTime()
      if (kept === null || kept.until <= now || Math.abs(now - asked) >= askedEveryMs) {
        const elsewhere = externalWrites(db)
        asked = now
        if (kept === null || kept.elsewhere !== elsewhere || kept.until <= now) kept = { value: read(), elsewhere, until: now + forMs }
      }
      try {
        return await kept.value
      } catch (error) {
        kept = null
        throw error
      }
    },

    /** For a write: what was kept is read again after it. */
    async written<R>(work: Promise<R>): Promise<R> {
      try {
        return await work
      } finally {
        kept = null
      }
    },

    /** Somebody else has written. */
    forget(): void {
      kept = null
    },
  }
}
