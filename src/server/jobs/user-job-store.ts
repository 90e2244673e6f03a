import type { Kysely, Selectable } from 'kysely'
import { isShared } from '../db/database-kind.ts'
import type { JobsTable } from '../db/job-tables.ts'
import type { Schema } from '../db/schema.ts'
import { newJobRow } from './outbox.ts'

/** A job that a user started and watches. It is done once or not at all: an interrupted one is not restarted. */
export interface UserJob {
  readonly id: string
  readonly userId: number
  readonly kind: string
  /** Input, defined by its kind. */
  readonly task: string
  readonly state: JobsTable['state']
  /** Result, defined by its kind. */
  readonly report: string
  readonly createdAt: number
  readonly endedAt: number | null
  /** Whether no other server can be running it: this is the only one on its database, or the lease has expired. */
  readonly abandoned: boolean
}

export type UserJobStore = ReturnType<typeof createUserJobStore>

export const RENEW_MS = 10_000
/** A server that has not renewed a job for this long is dead. */
const LEASE_MS = 45_000
const OPEN = ['waiting', 'running'] as const

export function createUserJobStore({ db, clock }: { db: Kysely<Schema>; clock: () => Date }) {
  const now = (): number => clock().getTime()
  const shared = isShared(db)

  function fromRow(row: Selectable<JobsTable>): UserJob {
    return {
      id: row.id,
      userId: row.user_id ?? 0,
      kind: row.kind,
      task: row.task,
      state: row.state,
      report: row.report,
      createdAt: row.created_at,
      endedAt: row.ended_at,
      abandoned: !shared || row.lease_until <= now(),
    }
  }

  return {
    async add({ id, userId, kind, task }: { id: string; userId: number; kind: string; task: string }): Promise<UserJob> {
      const row = newJobRow({ id, kind, task, lease_until: now() + LEASE_MS, created_at: now(), user_id: userId })
      await db.insertInto('jobs').values(row).execute()
      return fromRow(row)
    },
    async begin(id: string): Promise<void> {
      await db.updateTable('jobs').set({ state: 'running', attempts: 1 }).where('id', '=', id).execute()
    },
    /** Tells other servers that the job is still running or queued here; call it every `RENEW_MS`. */
    async renew(id: string): Promise<void> {
      if (!shared) return
      await db
        .updateTable('jobs')
        .set({ lease_until: now() + LEASE_MS })
        .where('id', '=', id)
        .execute()
    },
    async end(id: string, state: 'done' | 'failed' | 'cancelled' | 'interrupted', report: string): Promise<void> {
      await db.updateTable('jobs').set({ state, report, ended_at: now() }).where('id', '=', id).where('state', 'in', OPEN).execute()
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
