import { type Kysely, type Selectable, sql } from 'kysely'
import type { FilePath } from '../../shared/file-path.ts'
import { isAtOrBelow } from '../db/at-or-below.ts'
import type { Schema, VersionsTable } from '../db/schema.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import type { Version } from '../drive/versions.ts'
import { fromStored, toStored } from '../journal/stored-path.ts'

/** `intended`: written before a file is replaced. `done`: that has happened, and its old content is kept. `dropping`: it is being removed. */
export type VersionState = 'intended' | 'done' | 'dropping'

/** With the file's storage path; null if nobody knows it. */
export interface StoredVersion extends Version {
  readonly file: FilePath | null
  readonly state: VersionState
}

/** What is known of the content of a version. */
export type VersionContent = Pick<Version, 'size' | 'modified' | 'identity'>

/** Versions by the storage paths of their files, which follow renames and moves. Paths are well-formed: content has no other names. */
export type VersionStore = ReturnType<typeof createVersionStore>

/** In a large table a statement about so many takes some ten milliseconds. */
const AT_ONCE = 250
/** Some milliseconds. */
const SUMMED_AT_ONCE = 10_000
const CHANGED_AT_ONCE = 5000
/** The tier of versions that are being removed, so that queries for old versions leave them out. */
const NO_TIER = -1

export function createVersionStore(db: Kysely<Schema>) {
  const ofFile = (file: FilePath) =>
    db.selectFrom('versions').selectAll().where('path', '=', file).where('trashed', '=', '').where('state', '<>', 'dropping')

  const here = (path: FilePath) => [isAtOrBelow(path, 'path'), sql<boolean>`trashed = ''`] as const

  /** Most operations concern no file with versions: they do not wait for the database's one writer. */
  async function isKnown(path: FilePath): Promise<boolean> {
    if (!path.isWellFormed()) return false
    const [below, present] = here(path)
    return (await db.selectFrom('versions').select('id').where(below).where(present).limit(1).executeTakeFirst()) !== undefined
  }

  /** The same path after what was at `from` came to be at `to`. A name that cannot be stored is never found again. */
  function moved(from: FilePath, to: FilePath) {
    return to.isWellFormed() ? sql<string>`cast(${to} as text) || substr(path, length(cast(${from} as text)) + 1)` : sql<string>`''`
  }

  async function inPieces<T>(all: readonly T[], work: (some: readonly T[]) => Promise<unknown>): Promise<void> {
    for (let at = 0; at < all.length; at += AT_ONCE) await work(all.slice(at, at + AT_ONCE))
  }

  return {
    /** The volumes that hold versions. */
    async volumes(): Promise<FilePath[]> {
      const found: FilePath[] = []
      for (let last = ''; ;) {
        const next = await db
          .selectFrom('versions')
          .select('kept_volume as volume')
          .where('kept_volume', '>', last)
          .orderBy('kept_volume')
          .limit(1)
          .executeTakeFirst()
        if (next === undefined) return found
        last = next.volume
        found.push(fromStored(last))
      }
    },

    async begin(version: StoredVersion): Promise<void> {
      await db
        .insertInto('versions')
        .values({
          id: version.id,
          path: version.file ?? '',
          at: version.at,
          user_name: version.by,
          size: version.size,
          modified: Math.round(version.modified),
          identity: version.identity,
          state: version.state,
          tier: 0,
          trashed: '',
          kept_volume: toStored(version.kept.volume),
        })
        .execute()
    },

    /** Settles what was intended. */
    settle: (ids: readonly string[]): Promise<void> =>
      inPieces(ids, (some) =>
        db.updateTable('versions').set({ state: 'done' }).where('id', 'in', some).where('state', '=', 'intended').execute(),
      ),

    async correct(id: string, { size, modified, identity }: VersionContent): Promise<void> {
      await db
        .updateTable('versions')
        .set({ size, modified: Math.round(modified), identity })
        .where('id', '=', id)
        .execute()
    },

    forget: (ids: readonly string[]): Promise<void> => inPieces(ids, (some) => db.deleteFrom('versions').where('id', 'in', some).execute()),

    /** Of one file, the newest first. */
    async of(file: FilePath): Promise<StoredVersion[]> {
      return (await ofFile(file).orderBy('at', 'desc').orderBy('id', 'desc').execute()).map(fromRow)
    },

    async find(file: FilePath, id: string): Promise<StoredVersion | null> {
      const row = await ofFile(file).where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : fromRow(row)
    },

    /** Whatever it is of. Null for what is being removed. */
    async findAnywhere(id: string): Promise<StoredVersion | null> {
      const row = await db.selectFrom('versions').selectAll().where('id', '=', id).where('state', '<>', 'dropping').executeTakeFirst()
      return row === undefined ? null : fromRow(row)
    },

    /** Of these ids, those that are known. */
    async known(ids: readonly string[]): Promise<StoredVersion[]> {
      const found: StoredVersion[] = []
      await inPieces(ids, async (some) =>
        found.push(...(await db.selectFrom('versions').selectAll().where('id', 'in', some).execute()).map(fromRow)),
      )
      return found
    },

    /** Everything, in the order of the ids, from `after` on (exclusive). */
    async page(after: string): Promise<StoredVersion[]> {
      return (await db.selectFrom('versions').selectAll().where('id', '>', after).orderBy('id').limit(AT_ONCE).execute()).map(fromRow)
    },

    /** What is not settled, in the order of the ids, from `after` on (exclusive). */
    async unsettled(state: Exclude<VersionState, 'done'>, after: string): Promise<StoredVersion[]> {
      const rows = await db
        .selectFrom('versions')
        .selectAll()
        .where(sql<boolean>`state <> 'done'`)
        .where('state', '=', state)
        .where('id', '>', after)
        .orderBy('id')
        .limit(AT_ONCE)
        .execute()
      return rows.map(fromRow)
    },

    /** Files at a path and below have moved. */
    async moved(from: FilePath, to: FilePath): Promise<void> {
      if (from === to) return
      for (const pause = periodicYield(); await isKnown(from); await pause()) {
        const [below, present] = here(from)
        const some = db.selectFrom('versions').select('id').where(below).where(present).limit(CHANGED_AT_ONCE)
        await db
          .updateTable('versions')
          .set({ path: moved(from, to) })
          .where('id', 'in', some)
          .execute()
      }
    },

    /** Files at a path and below have gone to the trash by this deletion. @param options.until the versions from before this time only */
    async trashed(path: FilePath, deletion: string, { until = Infinity }: { until?: number } = {}): Promise<void> {
      if (!(await isKnown(path))) return
      const [below, present] = here(path)
      let change = db.updateTable('versions').set({ trashed: deletion }).where(below).where(present)
      if (until !== Infinity) change = change.where('at', '<=', until)
      await change.execute()
    },

    /** What this deletion moved from `from` to the trash is at `to` now. */
    async untrashed(deletion: string, from: FilePath, to: FilePath): Promise<void> {
      await db
        .updateTable('versions')
        .set({ path: moved(from, to), trashed: '' })
        .where(sql<boolean>`trashed <> ''`)
        .where('trashed', '=', deletion)
        .execute()
    },

    /** From now on these are being removed, and nobody sees them. @returns whether there are any */
    async drop(which: { ids: readonly string[] } | { below: FilePath } | { trashed: string }): Promise<boolean> {
      const dropping = db.updateTable('versions').set({ state: 'dropping', tier: NO_TIER }).where('state', '<>', 'dropping')
      if ('ids' in which) {
        await inPieces(which.ids, (some) => dropping.where('id', 'in', some).execute())
        return which.ids.length > 0
      }
      if ('below' in which && !(await isKnown(which.below))) return false
      const dropped =
        'below' in which
          ? here(which.below).reduce((query, condition) => query.where(condition), dropping)
          : dropping.where(sql<boolean>`trashed <> ''`).where('trashed', '=', which.trashed)
      return (await dropped.executeTakeFirstOrThrow()).numUpdatedRows > 0n
    },

    /** Bytes of all versions on each volume, by who replaced them. Others come in between. */
    async keptBytes(): Promise<{ volume: FilePath; holders: ReadonlyMap<string, number> }[]> {
      const found = new Map<string, Map<string, number>>()
      const pause = periodicYield()
      for (let last = ''; ;) {
        const rest = db.selectFrom('versions').where('id', '>', last).orderBy('id')
        const end = await rest
          .select('id')
          .offset(SUMMED_AT_ONCE - 1)
          .limit(1)
          .executeTakeFirst()
        // Without the limit SQLite would read all of another index.
        const sums = await db
          .selectFrom(rest.select(['kept_volume', 'user_name', 'size']).limit(SUMMED_AT_ONCE).as('some'))
          .select((eb) => ['kept_volume as volume', 'user_name as holder', eb.fn.sum<number | string>('size').as('bytes')])
          .groupBy(['kept_volume', 'user_name'])
          .execute()
        for (const { volume, holder, bytes } of sums) {
          const holders = found.get(volume) ?? new Map<string, number>()
          found.set(volume, holders.set(holder, (holders.get(holder) ?? 0) + Number(bytes)))
        }
        if (end === undefined) return Array.from(found, ([volume, holders]) => ({ volume: fromStored(volume), holders }))
        last = end.id
        await pause()
      }
    },

    /** The oldest on a volume of those that somebody replaced. */
    async oldest(volume: FilePath, by: string): Promise<{ id: string; size: number }[]> {
      return db
        .selectFrom('versions')
        .select(['id', 'size'])
        .where('kept_volume', '=', toStored(volume))
        .where('user_name', '=', by)
        .where('state', '=', 'done')
        .orderBy('at')
        .limit(AT_ONCE)
        .execute()
    },

    /** Those of one tier that were replaced before `until`. */
    async before(tier: number, until: number): Promise<string[]> {
      const rows = await db
        .selectFrom('versions')
        .select('id')
        .where('tier', '=', tier)
        .where('at', '<', until)
        .where('state', '=', 'done')
        .limit(AT_ONCE)
        .execute()
      return rows.map(({ id }) => id)
    },

    /** When the oldest version of a tier was replaced; null if there is none. */
    async oldestOf(tier: number): Promise<number | null> {
      const row = await db
        .selectFrom('versions')
        .select('at')
        .where('tier', '=', tier)
        .where('state', '=', 'done')
        .orderBy('at')
        .limit(1)
        .executeTakeFirst()
      return row?.at ?? null
    },

    /** Of those of one tier that were replaced in a time, the last first, from `after` on (exclusive). */
    async replacedIn(tier: number, { from, to }: { from: number; to: number }, after: Replaced | null): Promise<Replaced[]> {
      let query = db.selectFrom('versions').select(['id', 'at', 'path', 'trashed']).where('tier', '=', tier).where('state', '=', 'done')
      query = query.where('at', '>=', from).where('at', '<', to)
      if (after !== null) query = query.where('at', '<=', after.at).where((eb) => eb.or([eb('at', '<', after.at), eb('id', '<', after.id)]))
      const rows = await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(AT_ONCE).execute()
      return rows.map(({ id, at, path, trashed }) => ({ id, at, key: path === '' ? id : `${trashed}${path}` }))
    },

    raiseTier: (ids: readonly string[], tier: number): Promise<void> =>
      inPieces(ids, (some) =>
        db
          .updateTable('versions')
          .set({ tier: tier + 1 })
          .where('id', 'in', some)
          // With the sign SQLite goes by the ids; by the index of the tiers it would visit every version of the tier.
          .where(sql<boolean>`+tier = ${tier}`)
          .execute(),
      ),
  }
}

/** A version, and what it has in common with the others of its file; those whose file nobody knows have nothing. */
export interface Replaced {
  readonly id: string
  readonly at: number
  readonly key: string
}

function fromRow(row: Selectable<VersionsTable>): StoredVersion {
  return {
    id: row.id,
    // Written from a FilePath, by `begin` and `moved` only.
    file: row.path === '' ? null : (row.path as FilePath),
    kept: { area: 'versions', volume: fromStored(row.kept_volume), id: row.id },
    at: row.at,
    by: row.user_name,
    size: row.size,
    modified: row.modified,
    identity: row.identity,
    // By this store only.
    state: row.state as VersionState,
  }
}
