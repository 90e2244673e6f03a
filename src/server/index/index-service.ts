import { createKeyedMutex } from '../../shared/keyed-mutex.ts'
import { realpathSync, statSync } from 'node:fs'
import { setImmediate as turn, setTimeout as rest } from 'node:timers/promises'
import { type FilePath, nameOf, parentOf, parseFilePath, ROOT, segmentsOf } from '../../shared/file-path.ts'
import type { SearchQuery } from '../../shared/search-query.ts'
import { compact } from './compact.ts'
import type { LeftOut } from '../storage/snapshot-pattern.ts'
import { openDisk, watchLimit } from './disk.ts'
import type { FoundNode } from '../../shared/found-node.ts'
import { fingerprintOf } from './fingerprints.ts'
import { createFoundChanges } from './found-changes.ts'
import { createReconciler, type StepResult } from './reconciler.ts'
import { type SubtreeQuery, querySubtree, folderByPath, queryRows, type RowQuery, type IndexRows, indexRows } from './row-query.ts'
import { readSnapshot, writeSnapshot } from './snapshot.ts'
import { childrenOf, emptyTree, FOLDER, folderAt, isDotfile, kindAt, nameOfRow, ROOT_FOLDER, sumWithoutDotfiles, UNREAD } from './tree.ts'
import type { Counted, Fingerprints } from './tree-index.ts'

export interface IndexServiceOptions {
  readonly root: string
  /** Where the tree is stored between runs. */
  readonly file: string
  /** Phase, number of entries and of found changes, shared with other threads. */
  readonly progress: Int32Array
  readonly leftOut?: LeftOut | null
  readonly pace?: IndexPace
}

export interface IndexPace {
  /** How often to read kernel events while there are no queries. */
  readonly wakeMs: number
  /** How often to check folders that are not watched. */
  readonly rescanMs: number
  /** How often a changed tree is saved, during the first reading and later. */
  readonly saveMs: { readonly reading: number; readonly later: number }
  /** Share of the user's limit of watched folders. */
  readonly maxWatchShare: number
}

const PACE: IndexPace = { wakeMs: 200, rescanMs: 15 * 60_000, saveMs: { reading: 30_000, later: 30 * 60_000 }, maxWatchShare: 0.5 }
export const PHASES = ['building', 'ready', 'off'] as const
/** Work continues for this long before others get the disk and the processor. */
const SLICE_MS = 10
/** Pause for each millisecond of work: none after changes; the first reading takes half of the time, a check of everything a tenth. */
const PAUSE_PER_MS = { change: 0, reading: 1, looking: 9, nothing: 0 } satisfies Record<StepResult, number>
/** How long to process changes before a query is answered with "not known". */
const MAX_CATCH_UP_MS = 30
/** A cursor that has not been used for this long is dropped. */
const CURSOR_MS = 60_000
/** Removed entries that are kept before the tree is compacted. */
const REMOVED_AT_LEAST = 20_000

/** Everything that the index thread does: reads, watches, saves, answers. */
export interface IndexService {
  find(folder: FilePath, query: SearchQuery): number | null
  below(folder: FilePath): number | null
  /** More rows of a result, null at its end. @param enter folders returned before, whose entries are wanted too */
  next(cursor: number, most: number, enter: Iterable<number>): Promise<IndexRows | 'forgotten' | null>
  close(cursor: number): void
  sums(folder: FilePath, counted: Counted): Sum | null
  /** The folders in a folder. */
  folders(folder: FilePath, counted: Counted): { rows: IndexRows; sums: Sum[] } | null
  /** What stands for everything below a folder, and if asked below each folder in it by its name. */
  fingerprints(folder: FilePath, asked: { children: boolean }): Fingerprints | null
  changed(storagePaths: readonly FilePath[]): void
  /** What was found on the disk since the last call, in watched folders. */
  found(): FoundNode[]
  /** Resolves when all pending work is done, without pauses. */
  settled(): Promise<void>
  stop(): Promise<void>
}

export interface Sum {
  readonly files: number
  readonly folders: number
  readonly bytes: number
}

/** @returns null if the tree cannot be indexed */
export function openIndexService({ root, file, progress: board, leftOut = null, pace = PACE }: IndexServiceOptions): IndexService | null {
  const opened = openDisk(root, leftOut)
  if (opened === null) return null
  const disk = opened
  const rootId = `${realpathSync(root)} ${statSync(root).ino}`
  const snapshot = readSnapshot(file, rootId)
  const tree = snapshot ?? emptyTree()
  const wallClock = (): number => Date.now()
  let idleAt = wallClock()
  const found = createFoundChanges({ now: wallClock, since: () => idleAt })
  const reconciler = createReconciler(tree, disk, {
    mostWatches: Math.floor(watchLimit() * pace.maxWatchShare),
    now: wallClock,
    onFound: (segments, change, isFolder) => found.add(parseFilePath(`/${segments.join('/')}`), change, isFolder),
  })
  reconciler.begin(snapshot === null ? 'new' : 'left')
  const cursors = new Map<number, { query: RowQuery | SubtreeQuery; used: number }>()
  let lastCursor = 0
  let isReady = false
  let rescannedAt = performance.now()
  let isSaved = snapshot !== null && !snapshot.folders.state.includes(UNREAD)
  let saved = { at: performance.now(), changes: 0 }
  const oneByOne = createKeyedMutex()
  let failure: unknown = null
  const stopping = new AbortController()

  function show(): void {
    board[1] = tree.rows - tree.removed
    board[2] = found.count()
    board[0] = PHASES.indexOf(failure !== null ? 'off' : isReady ? 'ready' : 'building')
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      reconciler.listen()
      const begun = performance.now()
      let done = reconciler.step()
      while (done !== 'nothing' && performance.now() - begun < SLICE_MS) done = reconciler.step()
      isReady ||= done === 'looking' || done === 'nothing'
      show()
      if (done === 'nothing') idleAt = wallClock()
      if (done === 'nothing') tidy()
      if (done !== 'change') save()
      const took = performance.now() - begun
      await (done === 'change'
        ? turn()
        : rest(done === 'nothing' ? pace.wakeMs : took * PAUSE_PER_MS[done], undefined, { signal: stopping.signal }))
    }
  }

  function tidy(): void {
    const now = performance.now()
    for (const [id, { used }] of cursors) if (now - used > CURSOR_MS) cursors.delete(id)
    // Not while a cursor holds rows.
    if (cursors.size === 0 && tree.removed >= Math.max(REMOVED_AT_LEAST, tree.rows / 4)) reconciler.renumbered(compact(tree))
    if (now - rescannedAt <= pace.rescanMs) return
    rescannedAt = now
    reconciler.rescanUnwatched()
  }

  function save(): void {
    const now = performance.now()
    const isFirst = isReady && !isSaved
    const isDue = isFirst || now - saved.at > (isReady ? pace.saveMs.later : pace.saveMs.reading)
    if (!isDue || saved.changes === reconciler.changes()) return
    isSaved ||= isReady
    saved = { at: now, changes: reconciler.changes() }
    void write()
  }

  /** One save at a time. What could not be saved is read again after the next start. */
  function write(): Promise<void> {
    return oneByOne('write', () => writeSnapshot(file, rootId, tree)).catch(() => undefined)
  }

  function known(path: FilePath): number | null {
    if (failure !== null) throw failure
    reconciler.listen()
    const until = performance.now() + MAX_CATCH_UP_MS
    for (;;) {
      const folder = folderByPath(tree, segmentsOf(path))
      if (folder !== null && reconciler.isKnown(folder)) return folder
      if (!isReady || performance.now() > until) return null
      const done = reconciler.step()
      if (done === 'nothing' || (done === 'looking' && folder === null)) return null
    }
  }

  function answerWith(query: RowQuery | SubtreeQuery): number {
    cursors.set(++lastCursor, { query, used: performance.now() })
    return lastCursor
  }

  function sumOf(folder: number, { dotfiles }: Counted): Sum {
    if (!dotfiles) return sumWithoutDotfiles(tree, folder)
    const { fileSum, folderSum, byteSum } = tree.folders
    return { files: fileSum[folder] ?? 0, folders: folderSum[folder] ?? 0, bytes: byteSum[folder] ?? 0 }
  }

  const running = run().catch((error: unknown) => {
    if (stopping.signal.aborted) return
    failure = error
    show()
  })

  return {
    find(path, query) {
      const folder = known(path)
      return folder === null ? null : answerWith(queryRows(tree, folder, query))
    },
    below(path) {
      const folder = known(path)
      return folder === null ? null : answerWith(querySubtree(tree, folder))
    },
    async next(id, most, enter) {
      const cursor = cursors.get(id)
      if (cursor === undefined) return 'forgotten'
      if ('enter' in cursor.query) cursor.query.enter(enter)
      for (;;) {
        cursor.used = performance.now()
        const rows = cursor.query.next(most)
        if (rows === null) cursors.delete(id)
        if (rows === null) return null
        if (rows.length > 0) return indexRows(tree, rows)
        await turn()
      }
    },
    close: (id) => void cursors.delete(id),
    sums(path, counted) {
      const folder = known(path)
      return folder === null ? null : sumOf(folder, counted)
    },
    folders(path, counted) {
      const folder = known(path)
      if (folder === null) return null
      const isCounted = (row: number): boolean => kindAt(tree, row) === FOLDER && (counted.dotfiles || !isDotfile(tree, row))
      const rows = [...childrenOf(tree, folder)].filter(isCounted)
      return { rows: indexRows(tree, rows), sums: rows.map((row) => sumOf(folderAt(tree, row), counted)) }
    },
    fingerprints(path, { children }) {
      const folder = known(path)
      if (folder === null) return null
      const folders = children ? [...childrenOf(tree, folder)].filter((row) => kindAt(tree, row) === FOLDER) : []
      return {
        own: fingerprintOf(tree, folder).toString(16),
        children: new Map(folders.map((row) => [nameOfRow(tree, row), fingerprintOf(tree, folderAt(tree, row)).toString(16)])),
      }
    },
    changed(storagePaths) {
      for (const place of storagePaths) {
        // For an unknown folder: the first unknown one above it.
        let at = place
        let folder = folderByPath(tree, segmentsOf(parentOf(at)))
        while (folder === null && at !== ROOT) {
          at = parentOf(at)
          folder = folderByPath(tree, segmentsOf(parentOf(at)))
        }
        if (at !== ROOT) reconciler.markChanged(folder ?? ROOT_FOLDER, nameOf(at))
        reconciler.markSubtreeChanged(folderByPath(tree, segmentsOf(at)))
      }
    },
    found: () => found.take(),
    async settled() {
      reconciler.listen()
      for (let count = 0; reconciler.step() !== 'nothing'; count++) if (count % 100 === 0) await turn()
      isReady = true
      show()
    },
    async stop() {
      stopping.abort()
      await running
      reconciler.stop()
      await oneByOne('write', async () => undefined)
      if (failure === null && saved.changes !== reconciler.changes()) await write()
      disk.close()
    },
  }
}
