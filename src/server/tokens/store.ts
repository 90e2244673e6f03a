import type { Kysely, Selectable } from 'kysely'
import * as z from 'zod/mini'
import { Permissions } from '../../shared/contract/users.ts'
import { parseFilePath } from '../../shared/file-path.ts'
import type { TokenGrant } from '../access/token-access.ts'
import type { Schema } from '../db/schema.ts'
import type { ApiTokensTable } from '../db/sign-in-tables.ts'

/** An API token. Times are milliseconds since 1970. */
export interface ApiToken extends TokenGrant {
  readonly id: string
  readonly secretHash: string
  readonly userId: number
  readonly name: string
  readonly createdAt: number
  readonly createdBy: string
  /** Null: never. */
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  readonly lastAddress: string
  /** From which it was used, the latest last. */
  readonly networks: readonly string[]
}

export type TokenUsage = Pick<ApiToken, 'networks' | 'lastAddress'> & { readonly lastUsedAt: number }

const Networks = z.array(z.string())

export type TokenStore = ReturnType<typeof createTokenStore>

export function createTokenStore(db: Kysely<Schema>) {
  return {
    async findByHash(hash: string): Promise<ApiToken | null> {
      const row = await db.selectFrom('api_tokens').selectAll().where('secret_hash', '=', hash).executeTakeFirst()
      return row === undefined ? null : fromRow(row)
    },

    async find(id: string): Promise<ApiToken | null> {
      const row = await db.selectFrom('api_tokens').selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : fromRow(row)
    },

    /** The newest first. @param userId null for everybody's */
    async list(userId: number | null): Promise<ApiToken[]> {
      let query = db.selectFrom('api_tokens').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc')
      if (userId !== null) query = query.where('user_id', '=', userId)
      return (await query.execute()).map(fromRow)
    },

    /** In one transaction, so that parallel calls do not exceed `most` of one user, and disabling the account meanwhile leaves no token. */
    async insert(token: ApiToken, most: number): Promise<'done' | 'no account' | 'no room'> {
      return db.transaction().execute(async (trx) => {
        const account = await trx.selectFrom('users').select('disabled').where('id', '=', token.userId).executeTakeFirst()
        if (account?.disabled !== 0) return 'no account'
        const { count } = await trx
          .selectFrom('api_tokens')
          .select((of) => of.fn.countAll<number | string>().as('count'))
          .where('user_id', '=', token.userId)
          .executeTakeFirstOrThrow()
        if (Number(count) >= most) return 'no room'
        await trx.insertInto('api_tokens').values(rowFrom(token)).execute()
        return 'done'
      })
    },

    /** @returns whether it existed */
    async remove(id: string): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('api_tokens').where('id', '=', id).executeTakeFirst()
      return numDeletedRows > 0n
    },

    /** Also those that a program was allowed to fetch and has not yet. @returns how many there were */
    async removeAllOf(userId: number): Promise<number> {
      await db.deleteFrom('login_flows').where('user_id', '=', userId).execute()
      const { numDeletedRows } = await db.deleteFrom('api_tokens').where('user_id', '=', userId).executeTakeFirst()
      return Number(numDeletedRows)
    },

    async recordUse(id: string, { lastUsedAt, lastAddress, networks }: TokenUsage): Promise<void> {
      await db
        .updateTable('api_tokens')
        .set({ last_used_at: lastUsedAt, last_address: lastAddress, networks: JSON.stringify(networks) })
        .where('id', '=', id)
        .execute()
    },

    async removeEnded(before: number): Promise<void> {
      await db.deleteFrom('api_tokens').where('expires_at', '<', before).execute()
    },
  }
}

function fromRow(row: Selectable<ApiTokensTable>): ApiToken {
  return {
    id: row.id,
    secretHash: row.secret_hash,
    userId: row.user_id,
    name: row.name,
    perm: Permissions.parse(JSON.parse(row.perm)),
    folder: parseFilePath(row.folder),
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    lastAddress: row.last_address,
    networks: Networks.parse(JSON.parse(row.networks)),
  }
}

function rowFrom(token: ApiToken): ApiTokensTable {
  return {
    id: token.id,
    secret_hash: token.secretHash,
    user_id: token.userId,
    name: token.name,
    perm: JSON.stringify(token.perm),
    folder: token.folder,
    created_at: token.createdAt,
    created_by: token.createdBy,
    expires_at: token.expiresAt,
    last_used_at: token.lastUsedAt,
    last_address: token.lastAddress,
    networks: JSON.stringify(token.networks),
  }
}
