import type { Kysely } from 'kysely'
import type { Viewer } from '../access/viewer.ts'
import type { Schema } from '../db/schema.ts'
import type { Drive } from '../drive/drive.ts'
import type { DriveFor } from '../drive/drive-for.ts'
import type { Journal } from '../journal/journal.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { UserJobRunner } from '../user-jobs/runner.ts'
import { latestOf } from './latest.ts'
import { type HistoryQuery, listGestures } from './listing.ts'
import type { OutsideStore } from '../outside/store.ts'
import { createHistoryRows } from './history-rows.ts'
import { createRows } from './rows.ts'
import { createRewind } from './rewind.ts'
import { createUndo } from './undo.ts'

export interface UndoModuleOptions {
  readonly db: Kysely<Schema>
  readonly journal: Journal
  readonly outside: OutsideStore
  readonly recovered: () => Promise<void>
  readonly driveFor: DriveFor
  readonly systemDrive: Drive
  readonly settings: SettingsReader
  readonly userJobs: UserJobRunner
  readonly clock: () => Date
  readonly log: (line: string) => void
}

export interface UndoServices {
  readonly undo: ReturnType<typeof createUndoModule>
}

/** The journal for people: what was done, and taking it back. */
export function createUndoModule({ db, journal, ...options }: UndoModuleOptions) {
  const deps = { ...options, rows: createRows({ db, settled: journal.settled }), history: createHistoryRows({ db }) }
  return {
    ...createUndo(deps),
    rewind: createRewind(deps),
    latest: (viewer: Viewer) => latestOf(deps, viewer),
    list: (viewer: Viewer, query: HistoryQuery, { signal }: { signal: AbortSignal }) => listGestures(deps, { viewer, query, signal }),
  }
}
