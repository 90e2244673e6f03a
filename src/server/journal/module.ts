import type { Kysely } from 'kysely'
import { isShared } from '../db/database-kind.ts'
import type { Schema } from '../db/schema.ts'
import type { Actor } from '../drive/operation.ts'
import type { Recorder } from '../drive/recorder.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { Storage } from '../storage/storage.ts'
import { createJournal } from './journal.ts'
import { createOpenEntries } from './open-entries.ts'
import { createRecorder } from './recorder.ts'
import { type KeptVersions, type MoveFollower, settleStale } from './recovery.ts'
import { createJournalWriter } from './writer.ts'

const DAY_MS = 24 * 3600_000
/** A server that has not settled a change for this long is dead; if it lives after all, it settles it again. */
const LEASE_MS = 10 * 60_000

export interface JournalModuleOptions {
  readonly db: Kysely<Schema>
  readonly storage: Storage
  readonly settings: SettingsReader
  readonly followers: readonly MoveFollower[]
  readonly versions: KeptVersions
  readonly clock: () => Date
  readonly log: (line: string) => void
}

/** What was done to nodes, by whom and in which gesture. */
export function createJournalModule({ db, ...options }: JournalModuleOptions) {
  const { settings, clock, log } = options
  const started = clock().getTime()
  const open = createOpenEntries({ db })
  const writer = createJournalWriter({ db, open, log })
  const journal = createJournal({ db, open, settled: writer.flush })
  const deps = { ...options, journal, writer }
  const stopping = new AbortController()
  const stale = (): number => clock().getTime() - LEASE_MS

  const settleBefore = (before: number): Promise<void> => settleStale(deps, { before, signal: stopping.signal })

  /** As long as the activity log, but at least for a day, so that an undo can be repeated. */
  async function sweepOld(): Promise<void> {
    const { activityDays } = await settings.read()
    await journal.sweep({ until: clock().getTime() - Math.max(1, activityDays) * DAY_MS })
  }

  return {
    journal,
    /** For the Drive of one person. */
    recorder: (actor: NonNullable<Actor>): Recorder => createRecorder(deps, actor),
    /** Call it once, at the start, before the trash recovers: its nodes may have been moved before. */
    recover: (): Promise<void> => settleBefore(isShared(db) ? stale() : started),
    sweeps: { journalUnsettled: () => settleBefore(stale()), journal: sweepOld },
    async stop(): Promise<void> {
      stopping.abort()
      await writer.flush()
    },
  }
}
