import type { Kysely } from 'kysely'
import type { Viewer } from '../access/viewer.ts'
import type { Schema } from '../db/schema.ts'
import type { DriveFor } from '../drive/drive-for.ts'
import { latestOf } from './latest.ts'
import { type HistoryQuery, listGestures } from './listing.ts'
import { createRows } from './rows.ts'
import { createUndo } from './undo.ts'

export interface UndoModuleOptions {
  readonly db: Kysely<Schema>
  readonly driveFor: DriveFor
  readonly log: (line: string) => void
}

export interface UndoServices {
  readonly undo: ReturnType<typeof createUndoModule>
}

/** The journal for people: what was done, and taking it back. */
export function createUndoModule({ db, driveFor, log }: UndoModuleOptions) {
  const deps = { rows: createRows({ db }), driveFor, log }
  return {
    ...createUndo(deps),
    latest: (viewer: Viewer) => latestOf(deps, viewer),
    list: (viewer: Viewer, query: HistoryQuery, { signal }: { signal: AbortSignal }) => listGestures(deps, { viewer, query, signal }),
  }
}
