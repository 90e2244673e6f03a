import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Actor } from '../drive/operation.ts'
import type { Recorder } from '../drive/recorder.ts'
import { createJournal } from './journal.ts'
import { createRecorder } from './recorder.ts'
import { createJournalWriter } from './writer.ts'

export interface JournalModuleOptions {
  readonly db: Kysely<Schema>
  readonly clock: () => Date
  readonly log: (line: string) => void
}

/** What was done to nodes, by whom and in which gesture. */
export function createJournalModule({ db, clock, log }: JournalModuleOptions) {
  const writer = createJournalWriter({ db, log })
  const journal = createJournal({ db, settled: writer.flush })
  const deps = { journal, writer, clock, log }

  return {
    journal,
    /** For the Drive of one person. */
    recorder: (actor: NonNullable<Actor>): Recorder => createRecorder(deps, actor),
    stop: (): Promise<void> => writer.flush(),
  }
}
