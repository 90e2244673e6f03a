import type { Kysely } from 'kysely'
import { isShared } from '../db/database-kind.ts'
import { peersOf } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { COUNT_KINDS, type CountKind, KEPT_COUNTS } from './guess-counts.ts'
import { createLimiter, FORGET_AFTER_MS, type Limiter, type Limits } from './limiter.ts'
import { createMemoryGuessCounts } from './memory-guess-counts.ts'
import { createSharedGuessCounts } from './shared-guess-counts.ts'

/** A limiter that all servers of a database share. @param name of what is guessed; each counts by itself */
export type Limiters = (name: string, limits?: Limits) => Limiter

/** A client that has signed in is known for this long, if it does not come back. */
const KNOWN_MS = 7 * 24 * 3600_000

/** How guesses are counted: in memory, or in the database if several servers use it. */
export function createLimiters({ db, clock }: { db: Kysely<Schema>; clock: () => Date }) {
  const shared = isShared(db)
  const limiters: Limiters = (name, limits) =>
    createLimiter({ clock, limits, counts: shared ? createSharedGuessCounts(peersOf(db), name) : createMemoryGuessCounts() })

  async function forget(kind: CountKind): Promise<void> {
    const before = clock().getTime() - (kind === 'device' ? KNOWN_MS : FORGET_AFTER_MS)
    const beyond = await db
      .selectFrom('guess_counts')
      .select('last_at')
      .where('kind', '=', kind)
      .orderBy('last_at', 'desc')
      .offset(KEPT_COUNTS)
      .limit(1)
      .executeTakeFirst()
    await db
      .deleteFrom('guess_counts')
      .where('kind', '=', kind)
      .where('last_at', '<=', Math.max(before, beyond?.last_at ?? 0))
      .execute()
  }

  return {
    limiters,
    /** Removes counts that do not count any more, and the oldest beyond a limit. */
    async sweep(): Promise<void> {
      if (shared) for (const kind of COUNT_KINDS) await forget(kind)
    },
  }
}
