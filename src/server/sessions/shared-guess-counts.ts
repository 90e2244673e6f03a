import { createSemaphore } from '../../shared/semaphore.ts'
import type { Peers } from '../db/peers.ts'
import { hashOf } from '../db/secret.ts'
import type { Count, CountKey, CountKind, GuessCounts } from './guess-counts.ts'

/** A flood of guesses takes one of these; the other is left for other clients. */
const AT_ONCE = 2
const MOST_WAITING = 1000
const MAX_WAIT_MS = 10_000

/**
 * For several servers on one PostgreSQL, in a table that is not logged: as fast as memory that all of them share, and empty after a crash of the
 * database, as the memory of a single server is after its restart. Keys are stored as hashes, so that the table names nobody.
 * @param name of the limiter
 */
export function createSharedGuessCounts(peers: Peers, name: string): GuessCounts {
  const turns = createSemaphore({ slots: AT_ONCE, each: 1, waiting: MOST_WAITING })
  const hashed = ({ kind, name: of }: CountKey): string => hashOf(JSON.stringify([name, kind, of]))

  return {
    change: (client, keys, step) =>
      turns.run(
        client,
        () =>
          peers.briefly(`guesses ${name}`, { read: reading(keys.map(hashed)) }, (rows) => {
            const found = new Map(rows.map(({ key, count, last_at, next_at }) => [String(key), countOf(count, last_at, next_at)]))
            const changed = new Map<string, Change>()
            const result = step({
              get: (key) => found.get(hashed(key)),
              set: (key, count) => void changed.set(hashed(key), { kind: key.kind, count }),
              delete: (key) => void changed.set(hashed(key), { kind: key.kind, count: null }),
            })
            return { result, write: changed.size === 0 ? null : writing(changed) }
          }),
        { maxWaitMs: MAX_WAIT_MS },
      ),
  }
}

/** Hashes and numbers need no quoting. */
function reading(hashes: readonly string[]): string {
  return `select key, count, last_at, next_at from guess_counts where key in (${hashes.map((hash) => `'${hash}'`).join()})`
}

function writing(changed: ReadonlyMap<string, Change>): string {
  const gone = [...changed].filter(([, { count }]) => count === null).map(([hash]) => `'${hash}'`)
  const rows = [...changed].flatMap(([hash, { kind, count }]) =>
    count === null ? [] : [`('${hash}', '${kind}', ${count.count}, ${Math.round(count.lastAt)}, ${Math.round(count.nextAt)})`],
  )
  const removal = gone.length === 0 ? [] : [`delete from guess_counts where key in (${gone.join()})`]
  const insertion = `insert into guess_counts (key, kind, count, last_at, next_at) values ${rows.join()}
    on conflict (key) do update set count = excluded.count, last_at = excluded.last_at, next_at = excluded.next_at`
  return [...removal, ...(rows.length === 0 ? [] : [insertion])].join('; ')
}

interface Change {
  readonly kind: CountKind
  /** Null if it is forgotten. */
  readonly count: Count | null
}

const countOf = (count: unknown, lastAt: unknown, nextAt: unknown): Count => ({
  count: Number(count),
  lastAt: Number(lastAt),
  nextAt: Number(nextAt),
})
