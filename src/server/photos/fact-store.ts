import type { Kysely } from 'kysely'
import type { PhotoFactsTable } from '../db/photo-tables.ts'
import type { Schema } from '../db/schema.ts'
import type { FoundFacts } from './found-facts.ts'

/** One state of one file; a changed file has another version. */
export interface FileVersion {
  readonly identity: string
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970, with fractions. */
  readonly modified: number
}

/** What a list of photos needs of one. */
export type KnownPhoto = Pick<PhotoFactsTable, 'taken' | 'taken_offset' | 'width' | 'height' | 'latitude' | 'longitude'>

/** Raising it makes all files be read again. */
const READER = 1
const DAY_MS = 24 * 3600_000
const FORGET_AFTER_MS = 90 * DAY_MS
/** Writing with each use would cost more than reading. */
const USED_EVERY_MS = 7 * DAY_MS
const MOST_ROWS = 2_000_000
/** Identities in one query: PostgreSQL and SQLite take more values, but not much faster. */
const QUERY_ROWS = 500

/** A cache: a lost row is read again from its file. */
export type FactStore = ReturnType<typeof createFactStore>

export function createFactStore({ db, clock, mostRows = MOST_ROWS }: { db: Kysely<Schema>; clock: () => Date; mostRows?: number }) {
  const now = (): number => clock().getTime()

  async function touch(identities: readonly string[]): Promise<void> {
    await db.updateTable('photo_facts').set({ used_at: now() }).where('identity', 'in', identities).execute()
  }

  return {
    /** For each file what is known of it, or null. At most 500 at a time. */
    async find(versions: readonly FileVersion[]): Promise<(KnownPhoto | null)[]> {
      if (versions.length === 0) return []
      const rows = await db
        .selectFrom('photo_facts')
        .select(['identity', 'size', 'modified', 'reader', 'taken', 'taken_offset', 'width', 'height', 'latitude', 'longitude', 'used_at'])
        .where(
          'identity',
          'in',
          versions.map(({ identity }) => identity),
        )
        .execute()
      const byIdentity = new Map(rows.map((row) => [row.identity, row]))
      const old = rows.filter(({ used_at: used }) => used < now() - USED_EVERY_MS).map(({ identity }) => identity)
      if (old.length > 0) await touch(old)
      return versions.map((version) => {
        const row = byIdentity.get(version.identity)
        return row !== undefined && isOf(row, version) ? row : null
      })
    },

    /** Everything known of one file. */
    async read(version: FileVersion): Promise<FoundFacts | null> {
      const row = await db.selectFrom('photo_facts').selectAll().where('identity', '=', version.identity).executeTakeFirst()
      if (row === undefined || !isOf(row, version)) return null
      if (row.used_at < now() - USED_EVERY_MS) await touch([row.identity])
      // Written only by `keep` below.
      return JSON.parse(row.facts) as FoundFacts
    },

    async keep(read: readonly { version: FileVersion; facts: FoundFacts }[]): Promise<void> {
      if (read.length === 0) return
      const rows = read.map(({ version: { identity, size, modified }, facts }) => ({
        identity,
        size,
        modified,
        reader: READER,
        ...knownOf(facts),
        facts: JSON.stringify(facts),
        used_at: now(),
      }))
      await db.transaction().execute(async (trx) => {
        for (const row of rows) {
          await trx
            .insertInto('photo_facts')
            .values(row)
            .onConflict((conflict) => conflict.column('identity').doUpdateSet(row))
            .execute()
        }
      })
    },

    /** Removes rows that have not been used for a long time, and the least recently used beyond the limit. */
    async sweep(): Promise<void> {
      await db
        .deleteFrom('photo_facts')
        .where('used_at', '<', now() - FORGET_AFTER_MS)
        .execute()
      const last = await db
        .selectFrom('photo_facts')
        .select('used_at')
        .orderBy('used_at', 'desc')
        .offset(mostRows)
        .limit(1)
        .executeTakeFirst()
      if (last !== undefined) await db.deleteFrom('photo_facts').where('used_at', '<=', last.used_at).execute()
    },
    /** How many files `find` takes. */
    queryRows: QUERY_ROWS,
  }
}

export function knownOf(facts: FoundFacts): KnownPhoto {
  const { width, height } = shownSize(facts)
  return {
    taken: facts.taken?.local ?? null,
    taken_offset: facts.taken?.offset ?? null,
    width: width ?? 0,
    height: height ?? 0,
    latitude: facts.place?.latitude ?? null,
    longitude: facts.place?.longitude ?? null,
  }
}

/** Turned as its orientation says. */
export function shownSize({ width, height, orientation }: FoundFacts): Pick<FoundFacts, 'width' | 'height'> {
  return orientation !== null && orientation >= 5 ? { width: height, height: width } : { width, height }
}

function isOf(row: Pick<PhotoFactsTable, 'size' | 'modified' | 'reader'>, { size, modified }: FileVersion): boolean {
  return row.size === size && row.modified === modified && row.reader === READER
}
