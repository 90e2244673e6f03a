import type { Insertable, Kysely, Selectable } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { SessionsTable } from '../db/sign-in-tables.ts'

export type SessionRow = Selectable<SessionsTable>

export async function findSession(db: Kysely<Schema>, id: string): Promise<SessionRow | null> {
  return (await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

export async function findByKey(db: Kysely<Schema>, keyHash: string): Promise<SessionRow | null> {
  return (await db.selectFrom('sessions').selectAll().where('key_hash', '=', keyHash).executeTakeFirst()) ?? null
}

/** The newest session of a cookie, which outlives renewals of its token. */
export async function findByCookie(db: Kysely<Schema>, cookieHash: string): Promise<SessionRow | null> {
  const row = await db
    .selectFrom('sessions')
    .selectAll()
    .where('cookie_hash', '=', cookieHash)
    .where('revoked_at', 'is', null)
    .where('replaced_at', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

export async function insertSession(db: Kysely<Schema>, row: Insertable<SessionsTable>): Promise<void> {
  await db.insertInto('sessions').values(row).execute()
}

export async function touchSession(db: Kysely<Schema>, id: string, now: number): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', id).execute()
}

/** Updates only active sessions of a sign-in: neither revoked nor expired ones are revived. */
export async function touchFamily(db: Kysely<Schema>, family: string, now: number): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: now }).where('family', '=', family).where('revoked_at', 'is', null).execute()
}

/** The first replacement counts: the grace period for parallel renewals is not extended. */
export async function markReplaced(db: Kysely<Schema>, id: string, times: { replaced_at: number; expires_at: number }): Promise<void> {
  await db.updateTable('sessions').set(times).where('id', '=', id).where('replaced_at', 'is', null).execute()
}

/** Its user has just proven completely who they are. */
export async function setProof(db: Kysely<Schema>, family: string, now: number): Promise<void> {
  await db.updateTable('sessions').set({ proof_at: now }).where('family', '=', family).where('revoked_at', 'is', null).execute()
}

export async function revokeFamily(db: Kysely<Schema>, family: string, now: number): Promise<void> {
  await db.updateTable('sessions').set({ revoked_at: now }).where('family', '=', family).where('revoked_at', 'is', null).execute()
}

export async function revokeAllOf(db: Kysely<Schema>, userId: number, now: number): Promise<void> {
  await db.updateTable('sessions').set({ revoked_at: now }).where('user_id', '=', userId).where('revoked_at', 'is', null).execute()
}

/** A user's sessions that can still be used, the most recently used first. */
export async function listLive(
  db: Kysely<Schema>,
  userId: number,
  { now, authEpoch }: { now: number; authEpoch: number },
): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('auth_epoch', '=', authEpoch)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where((is) => is(is('last_seen_at', '+', is.ref('idle_ms')), '>', now))
    .orderBy('last_seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .execute()
}

/** All tokens of one sign-in that were not removed yet, ended or not. */
export async function listFamily(db: Kysely<Schema>, family: string): Promise<SessionRow[]> {
  return db.selectFrom('sessions').selectAll().where('family', '=', family).execute()
}

export async function countFamily(db: Kysely<Schema>, family: string): Promise<number> {
  // PostgreSQL returns counts as text.
  const { rows } = await db
    .selectFrom('sessions')
    .select((of) => of.fn.countAll<number | string>().as('rows'))
    .where('family', '=', family)
    .executeTakeFirstOrThrow()
  return Number(rows)
}

/** Ends the longest idle sign-ins of a user, until `keep` are left. @returns the families that ended */
export async function endOldest(db: Kysely<Schema>, userId: number, { keep, now }: { keep: number; now: number }): Promise<string[]> {
  const families = await db
    .selectFrom('sessions')
    .select((of) => ['family', of.fn.max('last_seen_at').as('seen'), of.fn.max('created_at').as('made')])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .groupBy('family')
    .orderBy('seen', 'desc')
    .orderBy('made', 'desc')
    .execute()
  const surplus = families.slice(keep).map(({ family }) => family)
  for (const family of surplus) await revokeFamily(db, family, now)
  return surplus
}

/** Removes sessions that can never be used again. */
export async function removeEnded(db: Kysely<Schema>, now: number): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((is) =>
      is.or([is('revoked_at', 'is not', null), is('expires_at', '<=', now), is(is('last_seen_at', '+', is.ref('idle_ms')), '<=', now)]),
    )
    .execute()
}
