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

const Proved = z.object({ issuer: z.string(), subject: z.string(), sid: z.string() })

export type ProviderSessions = ReturnType<typeof createProviderSessions>

/** Which sign-ins came from which session at a provider. */
export function createProviderSessions({ db, bus, clock }: { db: Kysely<Schema>; bus: Bus; clock: () => Date }) {
  const now = (): number => clock().getTime()
  const ofFamily = (family: string) => db.selectFrom('provider_sessions').selectAll().where('family', '=', family).executeTakeFirst()

  /** Sign-ins whose page has not asked for its session yet. */
  async function dropProved(of: { issuer: string; subject: string | null; sid: string | null }): Promise<void> {
    const rows = await db
      .selectFrom('sign_in_flows')
      .select(['id', 'outcome'])
      .where('purpose', '=', 'sign-in')
      .where('stage', '=', 'proved')
      .execute()
    for (const { id, outcome } of rows) {
      const { issuer, subject, sid } = Proved.parse(JSON.parse(outcome))
      const isMeant = issuer === of.issuer && (of.subject === null || subject === of.subject) && (of.sid === null || sid === of.sid)
      if (isMeant) await db.deleteFrom('sign_in_flows').where('id', '=', id).execute()
    }
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
     * @returns how many ended, and whose they were
     */
    async end({
      issuer,
      subject,
      sid,
    }: {
      issuer: string
      subject: string | null
      sid: string | null
    }): Promise<{ families: number; users: number[] }> {
      if (subject === null && sid === null) return { families: 0, users: [] }
      let named = db.selectFrom('provider_sessions').select(['family', 'user_id']).where('issuer', '=', issuer)
      if (subject !== null) named = named.where('subject', '=', subject)
      if (sid !== null) named = named.where('sid', '=', sid)
      const rows = await named.execute()
      for (const { family } of rows) {
        await revokeFamily(db, family, now())
        await db.deleteFrom('provider_sessions').where('family', '=', family).execute()
      }
      await dropProved({ issuer, subject, sid })
      const users = [...new Set(rows.map(({ user_id }) => user_id))]
      for (const userId of users) bus.announce('session.changed', { userId })
      return { families: rows.length, users }
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
