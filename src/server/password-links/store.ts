import type { Kysely, Selectable } from 'kysely'
import type { LinkKind } from '../../shared/contract/password-links.ts'
import type { PasswordLinksTable, Schema } from '../db/schema.ts'
import { hashOf, newSecret } from '../db/secret.ts'
import type { Account } from '../users/account.ts'

export interface PasswordLink {
  readonly userId: number
  readonly kind: LinkKind
  /** The address that it confirms; empty for other kinds. */
  readonly address: string
  readonly authEpoch: number
  readonly expires: Date
}

const HOUR_MS = 3600_000
/** An invitation waits for somebody who may be on holiday; the others are asked for and used at once. */
const LIFE_MS: Readonly<Record<LinkKind, number>> = { invitation: 7 * 24 * HOUR_MS, reset: HOUR_MS, address: 24 * HOUR_MS }
/** The oldest of a user and kind end for a new one. */
const MOST_OF_A_KIND = 5

export type LinkStore = ReturnType<typeof createLinkStore>

export function createLinkStore({ db, clock }: { db: Kysely<Schema>; clock: () => Date }) {
  const now = (): number => clock().getTime()
  return {
    /** @returns the secret, of which only a hash is kept */
    async create({ id, authEpoch }: Account, kind: LinkKind, address = ''): Promise<{ secret: string; expires: Date }> {
      const secret = newSecret()
      const expires = now() + LIFE_MS[kind]
      await db.transaction().execute(async (trx) => {
        const older = await trx
          .selectFrom('password_links')
          .select('hash')
          .where('user_id', '=', id)
          .where('kind', '=', kind)
          .orderBy('created_at', 'desc')
          .orderBy('hash')
          .offset(MOST_OF_A_KIND - 1)
          .limit(100)
          .execute()
        for (const { hash } of older) await trx.deleteFrom('password_links').where('hash', '=', hash).execute()
        await trx
          .insertInto('password_links')
          .values({ hash: hashOf(secret), user_id: id, kind, address, auth_epoch: authEpoch, created_at: now(), expires_at: expires })
          .execute()
      })
      return { secret, expires: new Date(expires) }
    },

    /** Null if it was used, has expired or never existed. */
    async find(secret: string): Promise<PasswordLink | null> {
      const row = await db
        .selectFrom('password_links')
        .selectAll()
        .where('hash', '=', hashOf(secret))
        .where('expires_at', '>', now())
        .executeTakeFirst()
      return row === undefined ? null : fromRow(row)
    },

    /** Uses it up. @returns whether it was still there: of several who use it at once, one succeeds */
    async take(secret: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('password_links')
        .where('hash', '=', hashOf(secret))
        .where('expires_at', '>', now())
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    /** The latest of a user and kind that has not expired. */
    async latest(userId: number, kind: LinkKind): Promise<(PasswordLink & { readonly created: Date }) | null> {
      const row = await db
        .selectFrom('password_links')
        .selectAll()
        .where('user_id', '=', userId)
        .where('kind', '=', kind)
        .where('expires_at', '>', now())
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row === undefined ? null : { ...fromRow(row), created: new Date(row.created_at) }
    },

    async removeAll(userId: number, kinds: readonly LinkKind[]): Promise<void> {
      await db.deleteFrom('password_links').where('user_id', '=', userId).where('kind', 'in', kinds).execute()
    },

    /** Removes what has expired; call it periodically. */
    async sweep(): Promise<void> {
      await db.deleteFrom('password_links').where('expires_at', '<=', now()).execute()
    },
  }
}

function fromRow({ user_id, kind, address, auth_epoch, expires_at }: Selectable<PasswordLinksTable>): PasswordLink {
  return { userId: user_id, kind, address, authEpoch: auth_epoch, expires: new Date(expires_at) }
}
