import type { Kysely } from 'kysely'
import { isShared } from '../db/database-kind.ts'
import type { Schema } from '../db/schema.ts'
import type { OpenEntries } from './open-entries.ts'
import type { JournalEntry } from './operation-row.ts'

/** Writes entries of the journal in batches: those that begin at the same time are written together, and settled together soon afterwards. */
export type JournalWriter = ReturnType<typeof createJournalWriter>

/** As long as a statement is at work, nobody else is let in: some ten milliseconds. */
const AT_ONCE = 1000
const SETTLED_AFTER_MS = 500
/** Other servers read the same rows. */
const SETTLED_AFTER_MS_SHARED = 20

export function createJournalWriter({ db, open, log }: { db: Kysely<Schema>; open: OpenEntries; log: (line: string) => void }) {
  let beginning: { entries: JournalEntry[]; written: Promise<void> } | null = null
  let settling = new Map<string, JournalEntry>()
  let timer: ReturnType<typeof setTimeout> | null = null
  let running: Promise<void> = Promise.resolve()

  async function inPieces(entries: readonly JournalEntry[], write: (some: readonly JournalEntry[]) => Promise<void>): Promise<void> {
    for (let from = 0; from < entries.length; from += AT_ONCE) await write(entries.slice(from, from + AT_ONCE))
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const some = settling
    settling = new Map()
    if (some.size === 0) return running
    running = running
      .then(() => inPieces([...some.values()], open.settle))
      .catch((error: unknown) => log(`journal: ${some.size} operations will be settled later: ${String(error)}`))
    return running
  }

  return {
    /** Survives the end of this process, but perhaps not a power failure. */
    async begin(entry: JournalEntry): Promise<void> {
      if (beginning === null) {
        const entries: JournalEntry[] = []
        const written = new Promise<void>((resolve) => void setImmediate(resolve)).then(() => {
          beginning = null
          return inPieces(entries, open.begin)
        })
        beginning = { entries, written }
      }
      beginning.entries.push(entry)
      await beginning.written
    },

    /** The same for an entry that was settled, and is continued. */
    reopen: (entry: JournalEntry): Promise<void> => open.reopen(entry.id),

    /** What became of an entry, to be written soon; the last call for one counts. */
    settle(entry: JournalEntry): void {
      settling.set(entry.id, entry)
      if (settling.size >= AT_ONCE) void flush()
      else timer ??= setTimeout(() => void flush(), isShared(db) ? SETTLED_AFTER_MS_SHARED : SETTLED_AFTER_MS)
    },

    /** Resolves when everything that is settled is written. Does not fail: what cannot be written is settled by recovery. */
    flush,
  }
}
