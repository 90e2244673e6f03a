import type { Kysely, Selectable } from 'kysely'
import * as z from 'zod/mini'
import type { Bus } from '../bus/bus.ts'
import { isUniqueViolation } from '../db/database.ts'
import type { ProviderSessionsTable } from '../db/provider-tables.ts'
import type { Schema } from '../db/schema.ts'
import { hashOf } from '../db/secret.ts'
import { findSession, revokeFamily } from '../sessions/store.ts'
import { secretIn } from '../sessions/token.ts'
import type { Person } from './account-links.ts'

export interface ProviderSession extends Person {
  readonly provider: string
  readonly sid: string
  readonly idToken: string
}

/** What ended at a provider: a session of a person there, or all of theirs without `sid`. */
export interface EndedAtProvider {
  readonly issuer: string
  readonly subject: string | null
  readonly sid: string | null
  readonly keep?: string | null
}

const Proved = z.object({ issuer: z.string(), subject: z.string(), sid: z.string() })

export type ProviderSessions = ReturnType<typeof createProviderSessions>

/** Which sign-ins came from which session at a provider. */
export function createProviderSessions({ db, bus, clock }: { db: Kysely<Schema>; bus: Bus; clock: () => Date }) {
  const now = (): number => clock().getTime()
  const ofFamily = (family: string) => db.selectFrom('provider_sessions').selectAll().where('family', '=', family).executeTakeFirst()

  /** @returns whose they were */
  async function endAll(rows: readonly { family: string; user_id: number }[]): Promise<number[]> {
    for (const { family } of rows) {
      await revokeFamily(db, family, now())
      await db.deleteFrom('provider_sessions').where('family', '=', family).execute()
    }
    const users = [...new Set(rows.map(({ user_id }) => user_id))]
    for (const userId of users) bus.announce('session.changed', { userId })
    return users
  }

  /** Sign-ins whose page has not asked for its session yet, and those that wait for a second factor. */
  async function dropProved({ issuer, subject, sid }: EndedAtProvider): Promise<void> {
    const isMeant = (outcome: string): boolean => {
      const proved = Proved.parse(JSON.parse(outcome))
      return proved.issuer === issuer && (subject === null || proved.subject === subject) && (sid === null || proved.sid === sid)
    }
    const tickets = await db
      .selectFrom('sign_in_tickets')
      .select(['secret_hash', 'carried'])
      .where('kind', '=', 'second')
      .where('carried', '!=', '')
      .execute()
    for (const { secret_hash: hash, carried } of tickets)
      if (isMeant(carried)) await db.deleteFrom('sign_in_tickets').where('secret_hash', '=', hash).execute()
    const rows = await db
      .selectFrom('sign_in_flows')
      .select(['id', 'outcome'])
      .where('purpose', '=', 'sign-in')
      .where('stage', '=', 'proved')
      .execute()
    for (const { id, outcome } of rows) if (isMeant(outcome)) await db.deleteFrom('sign_in_flows').where('id', '=', id).execute()
  }

  return {
    /** @param token of the session that was just opened */
    async remember(token: string, { provider, issuer, subject, sid, idToken }: ProviderSession): Promise<void> {
      const session = await db
        .selectFrom('sessions')
        .select(['family', 'user_id'])
        .where('key_hash', '=', hashOf(secretIn(token) ?? ''))
        .executeTakeFirst()
      if (session === undefined) return
      const row = { ...session, provider, issuer, subject, sid, id_token: idToken, created_at: now() }
      await db.insertInto('provider_sessions').values(row).execute()
    },

    /** Null if this session was opened in another way. */
    async of(sessionId: string): Promise<Selectable<ProviderSessionsTable> | null> {
      const session = await findSession(db, sessionId)
      return session === null ? null : ((await ofFamily(session.family)) ?? null)
    },

    /**
     * Ends the sign-ins of a session at the provider, also those that are not finished; without `sid`, all of the subject.
     * @param ended.keep a session whose sign-in goes on
     * @returns how many ended, and whose they were
     */
    async end({ issuer, subject, sid, keep = null }: EndedAtProvider): Promise<{ families: number; users: number[] }> {
      if (subject === null && sid === null) return { families: 0, users: [] }
      const kept = keep === null ? null : ((await findSession(db, keep))?.family ?? null)
      let named = db.selectFrom('provider_sessions').select(['family', 'user_id']).where('issuer', '=', issuer)
      if (subject !== null) named = named.where('subject', '=', subject)
      if (sid !== null) named = named.where('sid', '=', sid)
      const rows = (await named.execute()).filter(({ family }) => family !== kept)
      await dropProved({ issuer, subject, sid })
      return { families: rows.length, users: await endAll(rows) }
    },

    /** Ends everybody's sign-ins through a provider or directory, also those that are not finished. */
    async endOf(provider: string): Promise<void> {
      await db.deleteFrom('sign_in_flows').where('provider', '=', provider).execute()
      await endAll(await db.selectFrom('provider_sessions').select(['family', 'user_id']).where('provider', '=', provider).execute())
    },

    /** @returns false if this token was spent before */
    async spend(key: string, { untilMs }: { untilMs: number }): Promise<boolean> {
      try {
        await db
          .insertInto('spent_tokens')
          .values({ key_hash: hashOf(key), expires_at: untilMs })
          .execute()
        return true
      } catch (error) {
        if (isUniqueViolation(error)) return false
        throw error
      }
    },

    async sweep(): Promise<void> {
      await db.deleteFrom('spent_tokens').where('expires_at', '<=', now()).execute()
      await db
        .deleteFrom('provider_sessions')
        .where('family', 'not in', (of) => of.selectFrom('sessions').select('family'))
        .execute()
    },
  }
}
