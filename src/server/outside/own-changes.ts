import type { Kysely } from 'kysely'
import { type FilePath, parentOf, ROOT } from '../../shared/file-path.ts'
import type { FoundNode } from '../../shared/found-node.ts'
import type { Schema } from '../db/schema.ts'
import type { Change, Recorder } from '../drive/recorder.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import { fromStored, toStored } from '../journal/stored-path.ts'

/** What this server did is found on the disk at most so long before it is announced, or after it. */
const NEAR_MS = 20_000
/** How long it is remembered; longer than a change waits to be judged. What was not finished: the journal says so. */
const KEPT_MS = 120_000
const UNFINISHED_MS = 3600_000
/** For older ones the journal is asked. */
const MOST = 50_000
/** Deletions and restorations are found in the journal, in which they stand before the disk is touched. */
const JOURNAL_MS = 60_000
const ROWS_AT_ONCE = 5000
const JUDGED_AT_ONCE = 2000
const PATHS_AT_ONCE = 500

interface Span {
  from: number
  /** Infinity while it is being done. */
  until: number
}

/** What was done through Satchel a moment ago, by storage path: everything at or below such a path is its own. */
export function createOwnChanges({ db, clock }: { db: Kysely<Schema>; clock: () => Date }) {
  const spans = new Map<FilePath, Span>()

  function begin(path: FilePath): void {
    spans.set(path, { from: spans.get(path)?.from ?? clock().getTime(), until: Infinity })
  }

  function end(path: FilePath): void {
    const now = clock().getTime()
    spans.set(path, { from: spans.get(path)?.from ?? now, until: now })
  }

  function isOwn(own: ReadonlyMap<FilePath, Span>, { path, first, last }: FoundNode): boolean {
    for (let at = path; ; at = parentOf(at)) {
      const span = own.get(at)
      if (span !== undefined && last >= span.from - NEAR_MS && first <= span.until + NEAR_MS) return true
      if (at === ROOT) return false
    }
  }

  /** What the journal has begun since a moment, or has not finished; also by other servers. */
  async function inJournal(since: number): Promise<Map<FilePath, Span>> {
    const found = new Map<FilePath, Span>()
    const rows = () => db.selectFrom('operations').select(['id', 'path', 'origin', 'at', 'state']).orderBy('id')
    const note = ({ path, origin, at, state }: { path: string; origin: string | null; at: number; state: string }): void => {
      for (const stored of [path, origin]) {
        if (stored !== null) found.set(fromStored(stored), { from: at, until: state === 'intended' ? Infinity : at + JOURNAL_MS })
      }
    }
    for (let last = firstIdAt(since - JOURNAL_MS); ;) {
      const some = await rows().where('id', '>', last).limit(ROWS_AT_ONCE).execute()
      for (const row of some) note(row)
      const latest = some.at(-1)
      if (latest === undefined || some.length < ROWS_AT_ONCE) break
      last = latest.id
    }
    for (const row of await rows().where('state', '=', 'intended').execute()) note(row)
    for (const { entry } of await db.selectFrom('operations_open').select('entry').execute()) {
      // Written by the journal only.
      const { path, origin, at } = JSON.parse(entry) as JournalEntry
      for (const one of [path, origin]) if (one !== null) found.set(one, { from: at, until: Infinity })
    }
    return found
  }

  /**
   * What another server has announced when it was done, from when that began: of a long copy, much is found before it is done, and long after its row was
   * written. A file that is saved again and again has one row, and begins anew with each announcement.
   */
  async function announced(found: readonly FoundNode[]): Promise<Map<FilePath, Span>> {
    const ends = new Map<FilePath, number>()
    for (const { path } of found) {
      for (let at = path; at !== ROOT; at = parentOf(at)) {
        const span = spans.get(at)
        if (span !== undefined) ends.set(at, span.until)
      }
    }
    const begun = new Map<FilePath, Span>()
    const paths = [...ends.keys()].map(toStored)
    for (let from = 0; from < paths.length; from += PATHS_AT_ONCE) {
      const rows = await db
        .selectFrom('operations')
        .select(['path', 'at', 'kind'])
        .where('path', 'in', paths.slice(from, from + PATHS_AT_ONCE))
        .orderBy('id')
        .execute()
      for (const { path: stored, at, kind } of rows) {
        const path = fromStored(stored)
        const until = ends.get(path) ?? 0
        if (at > until) continue
        // The last one before it was announced is what was announced.
        if (kind === 'replace') begun.delete(path)
        else begun.set(path, { from: at, until })
      }
    }
    return begun
  }

  return {
    begin,
    end,
    /** The same recorder; what it records is remembered from its beginning to its end. */
    watching(recorder: Recorder): Recorder {
      return {
        ...recorder,
        async begin(change: Change) {
          const paths = change.origin === undefined || change.kind === 'copy' ? [change.path] : [change.path, change.origin]
          for (const path of paths) begin(path)
          const row = await recorder.begin(change)
          const settle = (): void => {
            for (const path of paths) end(path)
          }
          return {
            done(stat) {
              settle()
              row.done(stat)
            },
            failed() {
              settle()
              row.failed()
            },
          }
        },
      }
    },
    /** Of what was found on the disk, what nobody did through Satchel. */
    async without(found: readonly FoundNode[]): Promise<FoundNode[]> {
      const rest = await filtered(found, (node) => !isOwn(spans, node))
      if (rest.length === 0) return []
      const recorded = await inJournal(rest.reduce((least, { first }) => Math.min(least, first), Infinity))
      const left = await filtered(rest, (node) => !isOwn(recorded, node))
      if (left.length === 0) return []
      const begun = await announced(left)
      return filtered(left, (node) => !isOwn(begun, node))
    },
    /** Forgets what is too old to matter. */
    tidy(): void {
      const now = clock().getTime()
      for (const [path, { from, until }] of spans)
        if (until < now - KEPT_MS || from < now - UNFINISHED_MS || spans.size > MOST) spans.delete(path)
    },
  }
}

/** A program may have changed 100,000 files: others are let in between. */
async function filtered(nodes: readonly FoundNode[], holds: (node: FoundNode) => boolean): Promise<FoundNode[]> {
  const kept: FoundNode[] = []
  for (let from = 0; from < nodes.length; from += JUDGED_AT_ONCE) {
    kept.push(...nodes.slice(from, from + JUDGED_AT_ONCE).filter(holds))
    await new Promise<void>((resolve) => void setImmediate(resolve))
  }
  return kept
}

/** The lowest UUIDv7 of a moment (RFC 9562 §5.7). */
function firstIdAt(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
