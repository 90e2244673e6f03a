import type { Kysely, Selectable } from 'kysely'
import type { JobsTable, Schema } from '../db/schema.ts'

/** A job that somebody asked for and watches. It is done once or not at all: what was cut off is not begun again. */
export interface OwnJob {
  readonly id: string
  readonly userId: number
  readonly kind: string
  /** What is to be done, as its kind wrote it. */
  readonly task: string
  readonly state: JobsTable['state']
  /** How it went, as its kind wrote it. */
  readonly report: string
  readonly createdAt: number
  readonly endedAt: number | null
}

export interface OwnJobStore {
  add(job: { id: string; userId: number; kind: string; task: string }): Promise<OwnJob>
  begin(id: string): Promise<void>
  end(id: string, state: 'done' | 'failed' | 'cancelled' | 'interrupted', report: string): Promise<void>
  /** Of one person, newest first. */
  of(userId: number, limit: number): Promise<OwnJob[]>
  /** Of one that has ended. @returns whether there was one */
  forget(userId: number, id: string): Promise<boolean>
}

const OPEN = ['waiting', 'running'] as const

export function createOwnJobStore({ db, clock }: { db: Kysely<Schema>; clock: () => Date }): OwnJobStore {
  const now = (): number => clock().getTime()

  return {
    async add({ id, userId, kind, task }) {
      const row: Selectable<JobsTable> = {
        id,
        kind,
        task,
        state: 'waiting',
        attempts: 0,
        due_at: 0,
        lease_until: 0,
        report: '',
        created_at: now(),
        ended_at: null,
        user_id: userId,
      }
      await db.insertInto('jobs').values(row).execute()
      return fromRow(row)
    },
    async begin(id) {
      await db.updateTable('jobs').set({ state: 'running', attempts: 1 }).where('id', '=', id).execute()
    },
    async end(id, state, report) {
      await db.updateTable('jobs').set({ state, report, ended_at: now() }).where('id', '=', id).where('state', 'in', OPEN).execute()
    },
    async of(userId, limit) {
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
    async forget(userId, id) {
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

function fromRow(row: Selectable<JobsTable>): OwnJob {
  return {
    id: row.id,
    userId: row.user_id ?? 0,
    kind: row.kind,
    task: row.task,
    state: row.state,
    report: row.report,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }
}
