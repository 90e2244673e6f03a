import type { Kysely, Selectable } from 'kysely'
import { isShared } from '../db/database-kind.ts'
import { inTransaction } from '../db/database.ts'
import type { JobsTable } from '../db/job-tables.ts'
import type { Schema } from '../db/schema.ts'
import { newJobRow } from './outbox.ts'

/** A job that a user started and watches. It is done once or not at all. */
export interface UserJob {
  readonly id: string
  readonly userId: number
  readonly kind: string
  /** What it is about, as its runner describes it. */
  readonly task: string
  readonly state: JobsTable['state']
  /** Progress and result, as its runner describes them. */
  readonly report: string
  /** How it is started anew; empty if that is not possible, or not any more. */
  readonly request: string
  readonly createdAt: number
  readonly endedAt: number | null
}

export type UserJobStore = ReturnType<typeof createUserJobStore>

export const RENEW_MS = 10_000
/** A server that has not renewed a job for this long has lost it. */
export const LEASE_MS = 45_000
/** A job whose servers die again and again may be the reason. */
const MOST_ATTEMPTS = 3
const OPEN = ['waiting', 'running'] as const

/**
 * The jobs of all servers of a database. Each is held by one of them, by a lease; what a server stores of a job that it has lost is not stored. Of a
 * database with one server, all jobs are that server's.
 * @param options.server the name of this server, new at each start
 */
export function createUserJobStore({ db, clock, server }: { db: Kysely<Schema>; clock: () => Date; server: string }) {
  const now = (): number => clock().getTime()
  const lease = () => ({ holder: server, lease_until: now() + LEASE_MS })
  const shared = isShared(db)
  /** An open job that this server holds. */
  const held = (id: string) => db.updateTable('jobs').where('id', '=', id).where('state', 'in', OPEN).where('holder', '=', server)
  /** Open jobs that a server holds. */
  const alive = (of: Kysely<Schema>, userId: number) =>
    of
      .selectFrom('jobs')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .where('state', 'in', OPEN)
      .where('lease_until', '>', now())

  return {
    /** Whether other servers may hold jobs as well. */
    shared,

    /** @param options.most open jobs of a user, on all servers. @returns null if there are as many */
    async add(
      { request = '', ...job }: { id: string; userId: number; kind: string; task: string; request?: string },
      { most }: { most: number },
    ): Promise<UserJob | null> {
      const { userId, ...fields } = job
      const row = newJobRow({ ...fields, ...lease(), created_at: now(), user_id: userId, request })
      return inTransaction(db, async (trx) => {
        if (shared && (await alive(trx, userId).executeTakeFirstOrThrow()).count >= most) return null
        await trx.insertInto('jobs').values(row).execute()
        return fromRow(row)
      })
    },

    /**
     * It runs from now on.
     * @param options.each jobs of one user that run at a time, on all servers
     * @returns `later` if there are as many, `lost` if this server does not hold it any more
     */
    async begin({ id, userId }: { id: string; userId: number }, { each }: { each: number }): Promise<'begun' | 'later' | 'lost'> {
      return inTransaction(db, async (trx) => {
        const running = alive(trx, userId).where('state', '=', 'running').where('id', '!=', id)
        if (shared && (await running.executeTakeFirstOrThrow()).count >= each) return 'later'
        const { numUpdatedRows } = await trx
          .updateTable('jobs')
          .set((eb) => ({ state: 'running', attempts: eb('attempts', '+', 1) }))
          .where('id', '=', id)
          .where('state', 'in', OPEN)
          .where('holder', '=', server)
          .executeTakeFirstOrThrow()
        return numUpdatedRows > 0n ? 'begun' : 'lost'
      })
    },

    /** Tells other servers that it still runs or waits here, and how far it is; call it every `RENEW_MS`. */
    async renew(id: string, report: string): Promise<'held' | 'cancelled' | 'lost'> {
      if (!shared) return 'held'
      const row = await held(id)
        .set({ report, lease_until: now() + LEASE_MS })
        .returning('cancelled')
        .executeTakeFirst()
      if (row === undefined) return 'lost'
      return row.cancelled === 1 ? 'cancelled' : 'held'
    },

    /** It is about to change something: from now on, nobody starts it anew. @returns whether this server still holds it, and nobody has cancelled it */
    async settle(id: string): Promise<boolean> {
      if (!shared) return true
      const { numUpdatedRows } = await held(id).set({ request: '' }).where('cancelled', '=', 0).executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** One that is interrupted because it was cancelled on another server ends as cancelled. */
    async end(id: string, state: 'done' | 'failed' | 'cancelled' | 'interrupted', report: string): Promise<void> {
      const ended = { report, ended_at: now() }
      if (state === 'interrupted')
        await held(id)
          .where('cancelled', '=', 1)
          .set({ ...ended, state: 'cancelled' })
          .execute()
      await held(id)
        .set({ ...ended, state })
        .execute()
    },

    /** Leaves it to another server. @returns whether it can be started anew */
    async release(id: string): Promise<boolean> {
      if (!shared) return false
      const { numUpdatedRows } = await held(id)
        .set({ state: 'waiting', lease_until: 0, holder: '' })
        .where('request', '!=', '')
        .where('cancelled', '=', 0)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** The job that waits for longest for a server, from now on held by this one. Null if there is none. */
    async claim(): Promise<UserJob | null> {
      const lost = db
        .selectFrom('jobs')
        .select('id')
        .where('user_id', 'is not', null)
        .where('state', 'in', OPEN)
        .where('lease_until', '<=', now())
        .where('request', '!=', '')
        .where('attempts', '<', MOST_ATTEMPTS)
        .where('cancelled', '=', 0)
        .orderBy('created_at')
        .limit(1)
        .forUpdate()
        .skipLocked()
      const row = await db
        .updateTable('jobs')
        .set({ ...lease(), state: 'waiting', report: '' })
        .where('id', '=', lost)
        .returningAll()
        .executeTakeFirst()
      return row === undefined ? null : fromRow(row)
    },

    /** Tells of jobs that nobody holds, and that nobody can start anew, how they ended. */
    async bury(): Promise<void> {
      const lost = db
        .updateTable('jobs')
        .where('user_id', 'is not', null)
        .where('state', 'in', OPEN)
        .where((eb) => (shared ? eb('lease_until', '<=', now()) : eb('holder', '!=', server)))
      await lost.where('cancelled', '=', 1).set({ state: 'cancelled', ended_at: now() }).execute()
      const hopeless = shared ? lost.where((eb) => eb.or([eb('request', '=', ''), eb('attempts', '>=', MOST_ATTEMPTS)])) : lost
      await hopeless.set({ state: 'interrupted', ended_at: now() }).execute()
    },

    /** Has the server that holds it cancel it. @returns whether it is open */
    async cancel(userId: number, id: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('jobs')
        .set({ cancelled: 1 })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .where('state', 'in', OPEN)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async isOpen(id: string): Promise<boolean> {
      return (await db.selectFrom('jobs').select('id').where('id', '=', id).where('state', 'in', OPEN).executeTakeFirst()) !== undefined
    },

    /** Jobs of one user, newest first. */
    async of(userId: number, limit: number): Promise<UserJob[]> {
      const rows = await db
        .selectFrom('jobs')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(fromRow)
    },

    /** Removes one that has ended. @returns whether there was one */
    async forget(userId: number, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('jobs')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .where('state', 'not in', OPEN)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

function fromRow(row: Selectable<JobsTable>): UserJob {
  return {
    id: row.id,
    userId: row.user_id ?? 0,
    kind: row.kind,
    task: row.task,
    state: row.state,
    report: row.report,
    request: row.request,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }
}
