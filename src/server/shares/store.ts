import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Share as WireShare, ShareRights } from '../../shared/contract/shares.ts'
import { type FilePath, pathsTo, ROOT } from '../../shared/file-path.ts'
import { fail } from '../../shared/errors.ts'
import { isAtOrBelow } from '../db/at-or-below.ts'
import type { Schema, SharesTable } from '../db/schema.ts'

type Terms = 'expire' | 'starts' | 'slug' | 'title' | 'message' | 'rights' | 'maxDownloads' | 'logVisits' | 'drop'

/** The owner's terms of a link. */
export interface ShareTerms extends Readonly<Pick<WireShare, Terms>> {
  readonly passwordHash: string | null
}

/** A link to a node, or a share of it with people. It refers to the node, not to its path: `place` says where to look, `identity` what must be there. */
export interface Share extends ShareTerms, Readonly<Pick<WireShare, 'hash' | 'downloads' | 'received'>> {
  readonly userId: number
  /** Storage path, links resolved. */
  readonly place: FilePath
  /** While a new version replaces it, two identities separated by a space: if the server dies at that moment, either is the node. */
  readonly identity: string
  readonly folder: boolean
  readonly passwordVersion: number
  /** Version of its terms. */
  readonly version: number
  /** Key for the seals of visitors' tickets. */
  readonly ticketKey: string
  /** Of a share with people: the key of a person or a group; empty for a link. */
  readonly recipient: string
  /** What recipients may do; empty for a link. */
  readonly role: string
  /** The deletion that moved its node to the trash: until that is undone, the link has ended. Empty if it is not there. */
  readonly trashed: string
}

export type NewShare = Omit<Share, 'downloads' | 'received' | 'version' | 'trashed' | 'recipient' | 'role'> & { readonly createdAt: Date }

/** A ticket expires this long after its last use. */
const TICKET_MS = 10 * 60_000

/** Expiry of the `?token=` that a moved link had: it is valid as long as the link's password. */
export const WITHOUT_END = Number.MAX_SAFE_INTEGER

export type ShareStore = ReturnType<typeof createShareStore>

export function createShareStore(db: Kysely<Schema>) {
  async function removeAll(hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) return
    await db.transaction().execute(async (trx) => {
      for (const table of ['share_tickets', 'share_downloads', 'share_visits'] as const)
        await trx.deleteFrom(table).where('share', 'in', hashes).execute()
      await trx.deleteFrom('shares').where('hash', 'in', hashes).execute()
    })
  }

  return {
    /** A link by its hash, or by its slug, case-insensitive. */
    async find(name: string): Promise<Share | null> {
      const row = await db
        .selectFrom('shares')
        .selectAll()
        .where('recipient', '=', '')
        .where((eb) => eb.or([eb('hash', '=', name), eb.and([eb('slug', '!=', ''), eb(sql`lower(slug)`, '=', name.toLowerCase())])]))
        .executeTakeFirst()
      return row === undefined ? null : shareFrom(row)
    },

    /** A link or a share with people, by its hash. */
    async ofHash(hash: string): Promise<Share | null> {
      const row = await db.selectFrom('shares').selectAll().where('hash', '=', hash).executeTakeFirst()
      return row === undefined ? null : shareFrom(row)
    },

    /** Links of one user, or of all, also to nodes in the trash: permanent ones first, then by expiry, owner and path, so that the order is total. */
    async list({ userId, place, now }: { userId?: number; place?: FilePath; now: Date }): Promise<Share[]> {
      const rows = await db
        .selectFrom('shares')
        .selectAll()
        .where('recipient', '=', '')
        .where((eb) => eb.or([eb('expire', '=', 0), eb('expire', '>', seconds(now))]))
        .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
        .$if(place !== undefined, (query) => query.where('place', '=', place ?? ROOT))
        .orderBy('expire')
        .orderBy('user_id')
        .orderBy('place')
        .orderBy('hash')
        .execute()
      return rows.map(shareFrom)
    },

    /** Links to a node and to the folders around it. */
    async around(place: FilePath, now: Date): Promise<Share[]> {
      const rows = await db
        .selectFrom('shares')
        .selectAll()
        .where('recipient', '=', '')
        .where((eb) => eb.or([eb('expire', '=', 0), eb('expire', '>', seconds(now))]))
        .where('place', 'in', pathsTo(place))
        .orderBy('hash')
        .execute()
      return rows.map(shareFrom)
    },

    /** Links and shares with people. */
    async below(place: FilePath): Promise<Share[]> {
      // A name that is not UTF-8 would be stored as another one; such nodes are never shared.
      if (!place.isWellFormed()) return []
      const rows = await db.selectFrom('shares').selectAll().where(isAtOrBelow(place)).execute()
      return rows.map(shareFrom)
    },

    /** Links of one owner and their shares with people that have not ended, also of nodes in the trash, by path. */
    async given(userId: number, now: Date): Promise<Share[]> {
      const rows = await db
        .selectFrom('shares')
        .selectAll()
        .where('user_id', '=', userId)
        .where((eb) => eb.or([eb('expire', '=', 0), eb('expire', '>', seconds(now))]))
        .orderBy('place')
        .orderBy('hash')
        .execute()
      return rows.map(shareFrom)
    },

    /** The same link or share of another owner. @returns false if it has gone, or the new owner shares the node with the same people already */
    async give({ hash, userId, place, recipient }: Share, to: number): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        const same = trx.selectFrom('shares').select('hash').where('user_id', '=', to).where('place', '=', place).where('trashed', '=', '')
        if (recipient !== '' && (await same.where('recipient', '=', recipient).executeTakeFirst()) !== undefined) return false
        const { numUpdatedRows } = await trx
          .updateTable('shares')
          .set((eb) => ({ user_id: to, version: eb('version', '+', 1) }))
          .where('hash', '=', hash)
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow()
        return numUpdatedRows > 0n
      })
    },

    /** Everybody who has given links or shares with people that have not ended. */
    async owners(now: Date): Promise<number[]> {
      const rows = await db
        .selectFrom('shares')
        .select('user_id')
        .distinct()
        .where((eb) => eb.or([eb('expire', '=', 0), eb('expire', '>', seconds(now))]))
        .execute()
      return rows.map((row) => row.user_id)
    },

    /** Fails with `already-exists` for a slug that is taken. @returns false if the hash is */
    async create(share: NewShare): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        await freeSlug(trx, share.slug)
        if (await isNamed(trx, share.hash)) return false
        if (await isNamed(trx, share.slug)) fail('already-exists', { path: share.slug })
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('shares')
          .values(newShareRow(share))
          .onConflict((conflict) => conflict.column('hash').doNothing())
          .executeTakeFirstOrThrow()
        return numInsertedOrUpdatedRows !== 0n
      })
    },

    /**
     * Writes new terms over the version in `before`. Fails with `already-exists` for a slug that is taken. With `newPassword`, tickets for the old one
     * become invalid.
     * @returns false if its terms were changed meanwhile or it has gone: nothing was written
     */
    async change(
      { hash, version }: Pick<Share, 'hash' | 'version'>,
      terms: ShareTerms,
      { newPassword }: { newPassword: boolean },
    ): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        await freeSlug(trx, terms.slug)
        if (await isNamed(trx, terms.slug, { but: hash })) fail('already-exists', { path: terms.slug })
        const { numUpdatedRows } = await trx
          .updateTable('shares')
          .set({ ...asColumns(terms), version: version + 1 })
          .where('hash', '=', hash)
          .where('version', '=', version)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) return false
        if (!newPassword) return true
        await trx
          .updateTable('shares')
          .set((eb) => ({ password_version: eb('password_version', '+', 1) }))
          .where('hash', '=', hash)
          .execute()
        await trx.deleteFrom('share_tickets').where('share', '=', hash).execute()
        return true
      })
    },

    /** The same node under another name, or its next version under the same name. */
    async rebind(hash: string, { place, identity }: { place: FilePath; identity: string }): Promise<void> {
      await db.updateTable('shares').set({ place, identity }).where('hash', '=', hash).execute()
    },

    /** With everything that belongs to them. */
    remove: removeAll,

    /** Their node was moved to the trash by this deletion. */
    async suspend(hashes: readonly string[], trashed: string): Promise<void> {
      if (hashes.length > 0) await db.updateTable('shares').set({ trashed }).where('hash', 'in', hashes).execute()
    },

    /** Links to what this deletion moved to the trash. */
    async inTrash(trashed: string): Promise<Share[]> {
      return (await db.selectFrom('shares').selectAll().where('trashed', '=', trashed).execute()).map(shareFrom)
    },

    /** Its node is back, perhaps at another path. */
    async revive(hash: string, place: FilePath): Promise<void> {
      await db.updateTable('shares').set({ place, trashed: '' }).where('hash', '=', hash).execute()
    },

    async sweep(now: Date): Promise<void> {
      const ended = await db
        .selectFrom('shares')
        .select('hash')
        .where((eb) =>
          eb.or([
            eb.and([eb('expire', '!=', 0), eb('expire', '<=', seconds(now))]),
            eb('user_id', 'not in', (inner) => inner.selectFrom('users').select('id')),
          ]),
        )
        .execute()
      await removeAll(ended.map(({ hash }) => hash))
      await db.deleteFrom('share_tickets').where('expires_at', '<=', now.getTime()).execute()
    },

    async grant(keyHash: string, { hash, passwordVersion }: Share, now: Date): Promise<void> {
      await db
        .insertInto('share_tickets')
        .values({ key_hash: keyHash, share: hash, password_version: passwordVersion, expires_at: now.getTime() + TICKET_MS })
        .execute()
    },

    /** Whether the ticket is valid for this share and its password; its lifetime is extended. */
    async useTicket(keyHash: string, { hash, passwordVersion }: Share, now: Date): Promise<boolean> {
      const later = now.getTime() + TICKET_MS
      const { numUpdatedRows } = await db
        .updateTable('share_tickets')
        .set((eb) => ({ expires_at: eb.case().when('expires_at', '<', later).then(later).else(eb.ref('expires_at')).end() }))
        .where('key_hash', '=', keyHash)
        .where('share', '=', hash)
        .where('password_version', '=', passwordVersion)
        .where('expires_at', '>', now.getTime())
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },
  }
}

/** A link to a node in the trash, which opens nothing, does not keep its slug from others. */
async function freeSlug(trx: Transaction<Schema>, slug: string): Promise<void> {
  if (slug === '') return
  await trx
    .updateTable('shares')
    .set({ slug: '' })
    .where('trashed', '!=', '')
    .where(sql`lower(slug)`, '=', slug.toLowerCase())
    .execute()
}

/** Whether a name, case-insensitive, is a link's slug, or could be confused with its hash. */
export async function isNamed(db: Kysely<Schema>, name: string, { but = '' }: { but?: string } = {}): Promise<boolean> {
  if (name === '') return false
  const lower = name.toLowerCase()
  const row = await db
    .selectFrom('shares')
    .select('hash')
    .where((eb) => eb.or([eb(sql`lower(slug)`, '=', lower), eb(sql`lower(hash)`, '=', lower)]))
    .where('hash', '!=', but)
    .executeTakeFirst()
  return row !== undefined
}

export function newShareRow({ hash, userId, place, identity, folder, passwordVersion, ticketKey, createdAt, ...terms }: NewShare) {
  return {
    hash,
    user_id: userId,
    place,
    identity,
    folder: Number(folder),
    password_version: passwordVersion,
    ticket_key: ticketKey,
    created_at: createdAt.getTime(),
    ...asColumns(terms),
  }
}

function asColumns({ expire, starts, passwordHash, slug, title, message, rights, maxDownloads, logVisits, drop }: ShareTerms) {
  return {
    expire,
    starts,
    password_hash: passwordHash,
    slug,
    title,
    message,
    rights,
    max_downloads: maxDownloads,
    log_visits: Number(logVisits),
    drop_types: drop.types.join(),
    drop_max_file: drop.maxFile,
    drop_max_files: drop.maxFiles,
    drop_max_bytes: drop.maxBytes,
  }
}

export function shareFrom(row: Selectable<SharesTable>): Share {
  return {
    hash: row.hash,
    userId: row.user_id,
    // Written from a FilePath, by `create` and `rebind` only.
    place: row.place as FilePath,
    identity: row.identity,
    folder: row.folder === 1,
    expire: row.expire,
    starts: row.starts,
    passwordHash: row.password_hash,
    passwordVersion: row.password_version,
    version: row.version,
    ticketKey: row.ticket_key,
    trashed: row.trashed,
    recipient: row.recipient,
    role: row.role,
    slug: row.slug,
    title: row.title,
    message: row.message,
    // Written from one, by `create` and `change` only.
    rights: row.rights as ShareRights,
    maxDownloads: row.max_downloads,
    downloads: row.downloads,
    logVisits: row.log_visits === 1,
    drop: {
      maxFile: row.drop_max_file,
      maxFiles: row.drop_max_files,
      maxBytes: row.drop_max_bytes,
      types: row.drop_types === '' ? [] : row.drop_types.split(','),
    },
    received: { files: row.drop_files, bytes: row.drop_bytes },
  }
}

export function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
