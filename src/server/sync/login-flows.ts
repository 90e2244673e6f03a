import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { AppSignIn } from '../../shared/contract/app-sign-ins.ts'
import { MAX_API_TOKEN_NAME_CHARS } from '../../shared/contract/tokens.ts'
import { fail } from '../../shared/errors.ts'
import type { Schema } from '../db/schema.ts'
import { hashOf } from '../db/secret.ts'

/** A person who does not allow it within this time has to begin again. */
export const FLOW_MS = 20 * 60_000
/** Sign-ins that wait at the same time. Beyond that, the oldest of the address that began the most is removed, so that nobody is kept out. */
const MOST_FLOWS = 10_000

export type LoginFlows = ReturnType<typeof createLoginFlows>

/**
 * Sign-ins by a browser for programs that wait for them (login flow v2). Two secrets: the program polls with one, the browser opens an address with the other; the
 * database has the hashes of both. Allowing stores only who did; the token is made when the program fetches it, so that no secret is kept.
 */
export function createLoginFlows({ db, clock }: { db: Kysely<Schema>; clock: () => Date }) {
  const since = (): number => clock().getTime() - FLOW_MS
  const open = (flow: string) => db.selectFrom('login_flows').where('flow_hash', '=', hashOf(flow)).where('created_at', '>', since())

  async function removeOld(): Promise<void> {
    await db.deleteFrom('login_flows').where('created_at', '<=', since()).execute()
  }

  /** Removes the oldest of the address that began the most. */
  async function makeRoom(): Promise<void> {
    const most = await db
      .selectFrom('login_flows')
      .select((of) => ['address', of.fn.min('created_at').as('begun')])
      .where('user_id', 'is', null)
      .groupBy('address')
      .orderBy((of) => of.fn.countAll(), 'desc')
      .orderBy('begun')
      .limit(1)
      .executeTakeFirst()
    if (most === undefined) return fail('too-many-requests', { retryAfterSeconds: 60 })
    await db
      .deleteFrom('login_flows')
      .where('poll_hash', '=', (of) =>
        of
          .selectFrom('login_flows')
          .select('poll_hash')
          .where('address', '=', most.address)
          .where('user_id', 'is', null)
          .orderBy('created_at')
          .limit(1),
      )
      .execute()
  }

  return {
    async begin({ client, address }: { client: string; address: string | null }): Promise<{ poll: string; flow: string }> {
      await removeOld()
      const { count } = await db
        .selectFrom('login_flows')
        .select((of) => of.fn.countAll<number | string>().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) >= MOST_FLOWS) await makeRoom()
      const [poll, flow] = [secret(), secret()]
      await db
        .insertInto('login_flows')
        .values({
          poll_hash: hashOf(poll),
          flow_hash: hashOf(flow),
          client: nameOf(client),
          address: address ?? '',
          created_at: clock().getTime(),
          user_id: null,
        })
        .execute()
      return { poll, flow }
    },

    /** Fails with `not-found` for one that has ended, or was allowed already. */
    async read(flow: string): Promise<AppSignIn> {
      const row = await open(flow).where('user_id', 'is', null).selectAll().executeTakeFirst()
      if (row === undefined) return fail('not-found', {})
      return { client: row.client, address: row.address, begun: row.created_at }
    },

    /** Once: the first to allow it is who it is for. */
    async allow(flow: string, userId: number): Promise<void> {
      const { numUpdatedRows } = await db
        .updateTable('login_flows')
        .set({ user_id: userId })
        .where('flow_hash', '=', hashOf(flow))
        .where('created_at', '>', since())
        .where('user_id', 'is', null)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) fail('not-found', {})
    },

    async refuse(flow: string): Promise<void> {
      await db.deleteFrom('login_flows').where('flow_hash', '=', hashOf(flow)).where('user_id', 'is', null).execute()
    },

    /** Who has allowed it, once; null if nobody has yet, or the secret is unknown. */
    async take(poll: string): Promise<{ userId: number; client: string; address: string } | null> {
      const asked = { hash: hashOf(poll), since: since() }
      // Most polls come before anybody has allowed it, and reading does not take a turn among the writers.
      const isAllowed = await db
        .selectFrom('login_flows')
        .select('poll_hash')
        .where('poll_hash', '=', asked.hash)
        .where('user_id', 'is not', null)
        .executeTakeFirst()
      if (isAllowed === undefined) return null
      const row = await db
        .deleteFrom('login_flows')
        .where('poll_hash', '=', asked.hash)
        .where('created_at', '>', asked.since)
        .where('user_id', 'is not', null)
        .returningAll()
        .executeTakeFirst()
      return row === undefined || row.user_id === null ? null : { userId: row.user_id, client: row.client, address: row.address }
    },

    /** Removes those that have ended; call it periodically. */
    sweep: removeOld,
  }
}

/** 256 random bits. */
function secret(): string {
  return randomBytes(32).toString('base64url')
}

/** A name for a token: short, in one line, without what reverses or hides text. */
function nameOf(client: string): string {
  const plain = client
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return [...plain].slice(0, MAX_API_TOKEN_NAME_CHARS).join('').trim() || 'Sync client'
}
