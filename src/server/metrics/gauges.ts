import { readdirSync } from 'node:fs'
import { orElse } from '../../shared/errors.ts'
import type { Kysely } from 'kysely'
import { JOB_STATES } from '../../shared/contract/jobs.ts'
import { databaseBytes, type DatabaseLocation } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { type Family, single } from './exposition.ts'

export interface GaugeOptions {
  readonly db: Kysely<Schema>
  readonly database: DatabaseLocation
  readonly version: string
  readonly clock: () => Date
  readonly hashing: () => { readonly running: number; readonly waiting: number }
  readonly indexed?: () => { readonly phase: string; readonly entries: number }
}

/** Current values: accounts, uploads, jobs, and the resources of the process and its database. */
export async function gauges({ db, database, version, clock, hashing, indexed }: GaugeOptions): Promise<Family[]> {
  const { running, waiting } = hashing()
  const { phase, entries } = indexed?.() ?? { phase: 'off', entries: 0 }
  const gauge = (name: string, help: string, value: number): Family => single({ name, type: 'gauge', help }, value)
  return [
    { name: 'satchel_build', type: 'gauge', help: 'The program.', samples: [{ suffix: '', labels: { version }, value: 1 }] },
    gauge('satchel_sessions', 'Sign-ins that are alive.', await liveSessions(db, clock().getTime())),
    gauge('satchel_uploads', 'Uploads that are not finished.', await rowsOf(db, 'uploads')),
    gauge('satchel_shares', 'Links, and shares with people.', await rowsOf(db, 'shares')),
    gauge('satchel_users', 'Accounts.', await rowsOf(db, 'users')),
    await jobs(db),
    gauge('satchel_index_ready', 'Whether the index of names and sizes holds the whole tree.', phase === 'ready' ? 1 : 0),
    gauge('satchel_index_entries', 'Files and folders the index knows.', entries),
    gauge('satchel_password_hashes_running', 'Passwords that are hashed now.', running),
    gauge('satchel_password_hashes_waiting', 'Passwords that wait to be hashed; more than 32 are refused.', waiting),
    single(
      { name: 'satchel_database_bytes', type: 'gauge', unit: 'bytes', help: 'Size of the database with its log.' },
      await databaseBytes(db, database),
    ),
    ...processFamilies(),
  ]
}

function processFamilies(): Family[] {
  const { user, system } = process.cpuUsage()
  const startedAt = Date.now() / 1000 - process.uptime()
  const descriptors = openDescriptors()
  return [
    single({ name: 'process_cpu_seconds', type: 'counter', unit: 'seconds', help: 'Time on the processor.' }, (user + system) / 1e6),
    single({ name: 'process_resident_memory_bytes', type: 'gauge', unit: 'bytes', help: 'Memory held.' }, process.memoryUsage.rss()),
    single({ name: 'process_start_time_seconds', type: 'gauge', unit: 'seconds', help: 'Start, since 1970.' }, startedAt),
    ...(descriptors === null ? [] : [single({ name: 'process_open_fds', type: 'gauge', help: 'Open file descriptors.' }, descriptors)]),
  ]
}

async function liveSessions(db: Kysely<Schema>, now: number): Promise<number> {
  const { rows } = await db
    .selectFrom('sessions')
    .select((of) => of.fn.count<number | string>('family').distinct().as('rows'))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where((is) => is(is('last_seen_at', '+', is.ref('idle_ms')), '>', now))
    .executeTakeFirstOrThrow()
  return Number(rows)
}

async function rowsOf(db: Kysely<Schema>, table: 'uploads' | 'shares' | 'users'): Promise<number> {
  const { rows } = await db
    .selectFrom(table)
    .select((of) => of.fn.countAll<number | string>().as('rows'))
    .executeTakeFirstOrThrow()
  return Number(rows)
}

async function jobs(db: Kysely<Schema>): Promise<Family> {
  const found = await db
    .selectFrom('jobs')
    .select((of) => ['state', of.fn.countAll<number | string>().as('rows')])
    .groupBy('state')
    .execute()
  const counts = new Map(found.map(({ state, rows }) => [state, Number(rows)]))
  const samples = JOB_STATES.map((state) => ({ suffix: '', labels: { state }, value: counts.get(state) ?? 0 }))
  return { name: 'satchel_jobs', type: 'gauge', help: 'Jobs that are remembered, by state.', samples }
}

/** Null if the system does not report it. */
function openDescriptors(): number | null {
  return orElse(null, () => readdirSync('/proc/self/fd').length)
}
