import { randomUUID } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import { inTransaction } from '../db/database.ts'
import type { JobsTable } from '../db/job-tables.ts'
import type { Schema } from '../db/schema.ts'

/** Work of the server itself that is done at least once, even after a restart. */
export interface OutboxJob {
  readonly id: string
  readonly kind: string
  /** Input, defined by its kind. */
  readonly task: string
  readonly state: 'waiting' | 'running' | 'done' | 'failed'
  readonly attempts: number
  /** Output, for people. */
  readonly report: string
  readonly createdAt: Date
  readonly endedAt: Date | null
}

export interface AttemptResult {
  readonly done: boolean
  readonly report: string
  /** For its kind, if not `MAX_ATTEMPTS`. */
  readonly maxAttempts?: number
}

export type Outbox = ReturnType<typeof createOutbox>

/** A job that runs longer than this counts as lost with its worker; kinds with their own limits stay well below. */
export const LEASE_MS = 30 * 60_000
export const MAX_ATTEMPTS = 3
const FIRST_DELAY_MS = 30_000
const KEPT_MS = 14 * 24 * 3600_000
/** Ended jobs that are kept: copying a large tree creates a job for each file and hook. */
const MOST_KEPT = 20_000
const MAX_REPORT_CHARS = 16_384

export interface OutboxOptions {
  readonly db: Kysely<Schema>
  readonly clock: () => Date
  /** For tests: how many ended jobs are kept. */
  readonly mostKept?: number
}

export function createOutbox({ db, clock, mostKept = MOST_KEPT }: OutboxOptions) {
  const now = (): number => clock().getTime()

  async function take(id: string): Promise<OutboxJob | null> {
    // One statement, so that only one of several concurrent claims succeeds.
    const { numUpdatedRows } = await db
      .updateTable('jobs')
      .set((eb) => ({ state: 'running', attempts: eb('attempts', '+', 1), lease_until: now() + LEASE_MS }))
      .where('id', '=', id)
      .where((eb) => eb.or([eb('state', '=', 'waiting'), eb.and([eb('state', '=', 'running'), eb('lease_until', '<=', now())])]))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return null
    const row = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
    return row === undefined ? null : fromRow(row)
  }

  return {
    take,

    /** @param options.dueInMs when other workers claim it, if the caller's does not */
    async add(kind: string, task: string, { dueInMs }: { dueInMs: number }): Promise<OutboxJob> {
      const row = newJobRow({ id: randomUUID(), kind, task, due_at: now() + dueInMs, created_at: now() })
      await db.insertInto('jobs').values(row).execute()
      return fromRow(row)
    },

    /**
     * Adds a job unless one of its topic waits already.
     * @param topic at most one job of it waits
     * @param when.gatherMs how long it waits for more
     * @param when.spacingMs how long after the end of the last one of the topic it is due at the earliest
     * @returns whether it was added
     */
    async gather(
      { topic, kind, task }: { topic: string; kind: string; task: string },
      { gatherMs, spacingMs }: { gatherMs: number; spacingMs: number },
    ): Promise<boolean> {
      return inTransaction(db, async (trx) => {
        const same = trx.selectFrom('jobs').where('topic', '=', topic)
        if ((await same.select('id').where('state', '=', 'waiting').limit(1).executeTakeFirst()) !== undefined) return false
        const last = await same.select((of) => of.fn.max('ended_at').as('at')).executeTakeFirst()
        const dueAt = Math.max(now() + gatherMs, (last?.at ?? 0) + spacingMs)
        const row = newJobRow({ id: randomUUID(), kind, task, topic, due_at: dueAt, created_at: now() })
        await trx.insertInto('jobs').values(row).execute()
        return true
      })
    },

    /** Claims the job that has been due for longest; a job whose worker died is due again. Null if none is. */
    async claim(kinds: readonly string[]): Promise<OutboxJob | null> {
      for (;;) {
        const due = await db
          .selectFrom('jobs')
          .select('id')
          .where('kind', 'in', kinds)
          .where((eb) =>
            eb.or([
              eb.and([eb('state', '=', 'waiting'), eb('due_at', '<=', now())]),
              eb.and([eb('state', '=', 'running'), eb('lease_until', '<=', now())]),
            ]),
          )
          .orderBy('due_at')
          .orderBy('id')
          .limit(1)
          .executeTakeFirst()
        if (due === undefined) return null
        const job = await take(due.id)
        if (job !== null) return job
      }
    },

    /** Ends it, or schedules the next attempt while there are any left, doubling the delay each time. */
    async finish({ id, attempts }: OutboxJob, { done, report, maxAttempts: mostAttempts = MAX_ATTEMPTS }: AttemptResult): Promise<void> {
      const over = done || attempts >= mostAttempts
      await db
        .updateTable('jobs')
        .set({
          state: done ? 'done' : over ? 'failed' : 'waiting',
          due_at: now() + FIRST_DELAY_MS * 2 ** (attempts - 1),
          lease_until: 0,
          report: report.slice(0, MAX_REPORT_CHARS),
          ended_at: over ? now() : null,
        })
        .where('id', '=', id)
        .execute()
    },

    /** Of a running job that says how far it is: for this long its worker may be silent. */
    async renew(id: string, { report, forMs }: { report: string; forMs: number }): Promise<void> {
      await db
        .updateTable('jobs')
        .set({ report, lease_until: now() + forMs })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .execute()
    },

    /** What the server that died was at is due at once. For a database that only one server uses. */
    async release(kind: string): Promise<void> {
      await db.updateTable('jobs').set({ lease_until: 0 }).where('kind', '=', kind).where('state', '=', 'running').execute()
    },

    /** The latest of a kind, newest first. */
    async latest(kind: string, limit: number): Promise<OutboxJob[]> {
      const rows = await db
        .selectFrom('jobs')
        .selectAll()
        .where('kind', '=', kind)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(fromRow)
    },

    /** How many of a kind have not been started. */
    async waiting(kind: string): Promise<number> {
      const { count } = await db
        .selectFrom('jobs')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('state', '=', 'waiting')
        .where('kind', '=', kind)
        .executeTakeFirstOrThrow()
      return count
    },

    /** Removes jobs that ended long ago, and the oldest beyond a limit. */
    async sweep(): Promise<void> {
      await db
        .deleteFrom('jobs')
        // A user job whose server died, and that was not queried since, has no end time.
        .where((eb) =>
          eb.or([eb('ended_at', '<=', now() - KEPT_MS), eb.and([eb('user_id', 'is not', null), eb('created_at', '<=', now() - KEPT_MS)])]),
        )
        .execute()
      const first = await db
        .selectFrom('jobs')
        .select('ended_at')
        .where('ended_at', 'is not', null)
        .orderBy('ended_at', 'desc')
        .offset(mostKept)
        .limit(1)
        .executeTakeFirst()
      if (first !== undefined) await db.deleteFrom('jobs').where('ended_at', '<=', first.ended_at).execute()
    },
  }
}

/** What administrators see of a job, whatever its kind. */
export function runOf({ id, state, attempts, report, createdAt, endedAt }: OutboxJob) {
  return { id, state, attempts, output: report, created: createdAt.getTime(), ended: endedAt?.getTime() ?? null }
}

type Row = Selectable<JobsTable>

/** A job that waits to be run: the server's own, unless it has a user. */
export function newJobRow(row: Pick<Row, 'id' | 'kind' | 'task' | 'created_at'> & Partial<Row>): Row {
  return {
    state: 'waiting',
    attempts: 0,
    due_at: 0,
    lease_until: 0,
    report: '',
    ended_at: null,
    user_id: null,
    topic: '',
    holder: '',
    request: '',
    cancelled: 0,
    ...row,
  }
}

function fromRow(row: Row): OutboxJob {
  return {
    id: row.id,
    kind: row.kind,
    task: row.task,
    // The other two states are for user jobs.
    state: row.state === 'cancelled' || row.state === 'interrupted' ? 'failed' : row.state,
    attempts: row.attempts,
    report: row.report,
    createdAt: new Date(row.created_at),
    endedAt: row.ended_at === null ? null : new Date(row.ended_at),
  }
}
