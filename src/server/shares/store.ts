import type { ExpressionBuilder, Kysely, Selectable } from 'kysely'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import type { Schema, SharesTable } from '../db/schema.ts'

/** A link to a node. It names the object, not its spelling: `place` says where to look, `identity` what must be there (decision 19). */
export interface Share {
  readonly hash: string
  readonly userId: number
  /** From the storage's root, links resolved. */
  readonly place: FilePath
  readonly identity: string
  readonly folder: boolean
  /** Seconds since 1970; 0 for ever. */
  readonly expire: number
  readonly passwordHash: string | null
  readonly passwordVersion: number
}

/** A ticket lives this long after its last use (decision 25). */
const TICKET_MS = 10 * 60_000

export interface ShareStore {
  find(hash: string): Promise<Share | null>
  /** Of one person, or of all: permanent ones first, then by expiry, then by owner and place, so that the order is one. */
  list(filter: { userId?: number; place?: FilePath; now: Date }): Promise<Share[]>
  /** Of nodes at `place` and below it. */
  below(place: FilePath): Promise<Share[]>
  /** @returns false when the hash is taken */
  create(share: Share & { createdAt: Date }): Promise<boolean>
  /** The same object under another name, or its next version under the same. */
  rebind(hash: string, to: { place: FilePath; identity: string }): Promise<void>
  /** With its tickets. */
  remove(hashes: readonly string[]): Promise<void>
  /** Everything whose time is over, and what belonged to people who are gone. */
  sweep(now: Date): Promise<void>
  grant(keyHash: string, share: Share, now: Date): Promise<void>
  /** Whether the ticket is good for this share and its password; its time starts anew. */
  useTicket(keyHash: string, share: Share, now: Date): Promise<boolean>
}

export function createShareStore(db: Kysely<Schema>): ShareStore {
  async function removeAll(hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) return
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('share_tickets').where('share', 'in', hashes).execute()
      await trx.deleteFrom('shares').where('hash', 'in', hashes).execute()
    })
  }

  return {
    async find(hash) {
      const row = await db.selectFrom('shares').selectAll().where('hash', '=', hash).executeTakeFirst()
      return row === undefined ? null : fromRow(row)
    },

    async list({ userId, place, now }) {
      const rows = await db
        .selectFrom('shares')
        .selectAll()
        .where((eb) => eb.or([eb('expire', '=', 0), eb('expire', '>', seconds(now))]))
        .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
        .$if(place !== undefined, (query) => query.where('place', '=', place ?? ROOT))
        .orderBy('expire')
        .orderBy('user_id')
        .orderBy('place')
        .orderBy('hash')
        .execute()
      return rows.map(fromRow)
    },

    async below(place) {
      // A name that is not UTF-8 would be stored as another one; nothing of that name is ever shared.
      if (!place.isWellFormed()) return []
      const rows = await db.selectFrom('shares').selectAll().where(isAtOrBelow(place)).execute()
      return rows.map(fromRow)
    },

    async create({ hash, userId, place, identity, folder, expire, passwordHash, passwordVersion, createdAt }) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('shares')
        .values({
          hash,
          user_id: userId,
          place,
          identity,
          folder: Number(folder),
          expire,
          password_hash: passwordHash,
          password_version: passwordVersion,
          created_at: createdAt.getTime(),
        })
        .onConflict((conflict) => conflict.column('hash').doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows !== 0n
    },

    async rebind(hash, { place, identity }) {
      await db.updateTable('shares').set({ place, identity }).where('hash', '=', hash).execute()
    },

    remove: removeAll,

    async sweep(now) {
      const ended = await db.selectFrom('shares').select('hash').where('expire', '!=', 0).where('expire', '<=', seconds(now)).execute()
      await removeAll(ended.map(({ hash }) => hash))
      await db.deleteFrom('share_tickets').where('expires_at', '<=', now.getTime()).execute()
      await db
        .deleteFrom('shares')
        .where('user_id', 'not in', (eb) => eb.selectFrom('users').select('id'))
        .execute()
    },

    async grant(keyHash, { hash, passwordVersion }, now) {
      await db
        .insertInto('share_tickets')
        .values({ key_hash: keyHash, share: hash, password_version: passwordVersion, expires_at: now.getTime() + TICKET_MS })
        .execute()
    },

    async useTicket(keyHash, { hash, passwordVersion }, now) {
      const { numUpdatedRows } = await db
        .updateTable('share_tickets')
        .set({ expires_at: now.getTime() + TICKET_MS })
        .where('key_hash', '=', keyHash)
        .where('share', '=', hash)
        .where('password_version', '=', passwordVersion)
        .where('expires_at', '>', now.getTime())
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },
  }
}

/** Whole segments only: `/a` is not above `/abc` (GHSA-5ww9-jg6q-38r7). `0` is the character after `/`. */
function isAtOrBelow(place: FilePath) {
  return ({ eb, or, and }: ExpressionBuilder<Schema, 'shares'>) =>
    place === ROOT
      ? eb('place', '>=', ROOT)
      : or([eb('place', '=', place), and([eb('place', '>', `${place}/`), eb('place', '<', `${place}0`)])])
}

function fromRow(row: Selectable<SharesTable>): Share {
  return {
    hash: row.hash,
    userId: row.user_id,
    // Written from a FilePath, by `create` and `rebind` only.
    place: row.place as FilePath,
    identity: row.identity,
    folder: row.folder === 1,
    expire: row.expire,
    passwordHash: row.password_hash,
    passwordVersion: row.password_version,
  }
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
