import { realpathSync, statSync } from 'node:fs'
import { setImmediate as turn, setTimeout as rest } from 'node:timers/promises'
import { type FilePath, nameOf, parentOf, ROOT, segmentsOf } from '../../shared/file-path.ts'
import type { SearchQuery } from '../../shared/search-query.ts'
import { compact } from './compact.ts'
import { openDisk, watchLimit } from './disk.ts'
import { createKeeper, type Done } from './keeper.ts'
import { type Descent, descend, folderByPath, seek, type Seeker, type Told, tell } from './seeker.ts'
import { readSnapshot, writeSnapshot } from './snapshot.ts'
import { childrenOf, emptyTree, FOLDER, folderAt, isDotfile, kindAt, ROOT_FOLDER, sumWithoutDotfiles, UNREAD } from './tree.ts'
import type { Counted } from './tree-index.ts'

export interface DeskOptions {
  readonly root: string
  /** Where the tree is kept between two runs. */
  readonly file: string
  /** Phase and number of entries, for everybody to see. */
  readonly board: Int32Array
  readonly pace?: DeskPace
}

export interface DeskPace {
  /** How often the kernel is asked what happened, while nobody wants to know. */
  readonly wakeMs: number
  /** How often folders are looked at of which nobody tells. */
  readonly lookAroundMs: number
  /** How often a tree that changed is written down; while it is read for the first time, and later. */
  readonly saveMs: { readonly reading: number; readonly later: number }
  /** Of the folders one user may have watched. */
  readonly watchShare: number
}

const PACE: DeskPace = { wakeMs: 200, lookAroundMs: 15 * 60_000, saveMs: { reading: 30_000, later: 30 * 60_000 }, watchShare: 0.5 }
export const PHASES = ['building', 'ready', 'off'] as const
/** Work goes on for so long before others may have the disk and the processor. */
const SLICE_MS = 10
/** Rest for each millisecond of work: what changed is looked at without, the first reading takes half of the time, the look at everything a tenth. */
const REST = { change: 0, reading: 1, looking: 9, nothing: 0 } satisfies Record<Done, number>
/** What has changed is looked at for so long before a question is answered with "not known". */
const PATIENCE_MS = 30
/** Whoever has not gone on with an answer by then has gone away. */
const CURSOR_MS = 60_000
/** So many removed entries are kept before the tree is put together anew. */
const REMOVED_AT_LEAST = 20_000

/** Everything the thread of the index does: reads, listens, writes down, answers. */
export interface Desk {
  find(folder: FilePath, query: SearchQuery): number | null
  below(folder: FilePath): number | null
  /** More of an answer, null at its end. @param enter folders told before, whose entries are wanted too */
  next(cursor: number, most: number, enter: Iterable<number>): Promise<Told | 'forgotten' | null>
  close(cursor: number): void
  sums(folder: FilePath, counted: Counted): Sum | null
  /** The folders in a folder. */
  children(folder: FilePath, counted: Counted): { told: Told; sums: Sum[] } | null
  changed(places: readonly FilePath[]): void
  /** Resolves when all is done that there is to do, at no pace. */
  settled(): Promise<void>
  stop(): Promise<void>
}

export interface Sum {
  readonly files: number
  readonly folders: number
  readonly bytes: number
}

/** @returns null where the tree cannot be indexed */
export function openDesk({ root, file, board, pace = PACE }: DeskOptions): Desk | null {
  const opened = openDisk(root)
  if (opened === null) return null
  const disk = opened
  const mark = `${realpathSync(root)} ${statSync(root).ino}`
  const kept = readSnapshot(file, mark)
  const tree = kept ?? emptyTree()
  const keeper = createKeeper(tree, disk, { mostWatches: Math.floor(watchLimit() * pace.watchShare), now: () => Date.now() })
  keeper.begin(kept === null ? 'new' : 'left')
  const cursors = new Map<number, { seeker: Seeker | Descent; used: number }>()
  let lastCursor = 0
  let isReady = false
  let lookedAround = performance.now()
  let isKept = kept !== null && !kept.folders.state.includes(UNREAD)
  let saved = { at: performance.now(), changes: 0 }
  let saving: Promise<void> = Promise.resolve()
  let failure: unknown = null
  const stopping = new AbortController()

  function show(): void {
    board[1] = tree.rows - tree.removed
    board[0] = PHASES.indexOf(failure !== null ? 'off' : isReady ? 'ready' : 'building')
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      keeper.listen()
      const begun = performance.now()
      let done = keeper.step()
      while (done !== 'nothing' && performance.now() - begun < SLICE_MS) done = keeper.step()
      isReady ||= done === 'looking' || done === 'nothing'
      show()
      if (done === 'nothing') tidy()
      if (done !== 'change') save()
      const took = performance.now() - begun
      await (done === 'change'
        ? turn()
        : rest(done === 'nothing' ? pace.wakeMs : took * REST[done], undefined, { signal: stopping.signal }))
    }
  }

  function tidy(): void {
    const now = performance.now()
    for (const [id, { used }] of cursors) if (now - used > CURSOR_MS) cursors.delete(id)
    // As long as nobody is at an answer, which holds rows.
    if (cursors.size === 0 && tree.removed >= Math.max(REMOVED_AT_LEAST, tree.rows / 4)) keeper.renumbered(compact(tree))
    if (now - lookedAround <= pace.lookAroundMs) return
    lookedAround = now
    keeper.lookAround()
  }

  function save(): void {
    const now = performance.now()
    const isFirst = isReady && !isKept
    const isDue = isFirst || now - saved.at > (isReady ? pace.saveMs.later : pace.saveMs.reading)
    if (!isDue || saved.changes === keeper.changes()) return
    isKept ||= isReady
    saved = { at: now, changes: keeper.changes() }
    // One after the other. What could not be written is read again after the next start.
    saving = saving.then(() => writeSnapshot(file, mark, tree)).catch(() => undefined)
  }

  function known(path: FilePath): number | null {
    if (failure !== null) throw failure
    keeper.listen()
    const until = performance.now() + PATIENCE_MS
    for (;;) {
      const folder = folderByPath(tree, segmentsOf(path))
      if (folder !== null && keeper.isKnown(folder)) return folder
      if (!isReady || performance.now() > until) return null
      const done = keeper.step()
      if (done === 'nothing' || (done === 'looking' && folder === null)) return null
    }
  }

  function answerWith(seeker: Seeker | Descent): number {
    cursors.set(++lastCursor, { seeker, used: performance.now() })
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
      return folder === null ? null : answerWith(seek(tree, folder, query))
    },
    below(path) {
      const folder = known(path)
      return folder === null ? null : answerWith(descend(tree, folder))
    },
    async next(id, most, enter) {
      const cursor = cursors.get(id)
      if (cursor === undefined) return 'forgotten'
      if ('enter' in cursor.seeker) cursor.seeker.enter(enter)
      for (;;) {
        cursor.used = performance.now()
        const rows = cursor.seeker.next(most)
        if (rows === null) cursors.delete(id)
        if (rows === null) return null
        if (rows.length > 0) return tell(tree, rows)
        await turn()
      }
    },
    close: (id) => void cursors.delete(id),
    sums(path, counted) {
      const folder = known(path)
      return folder === null ? null : sumOf(folder, counted)
    },
    children(path, counted) {
      const folder = known(path)
      if (folder === null) return null
      const isCounted = (row: number): boolean => kindAt(tree, row) === FOLDER && (counted.dotfiles || !isDotfile(tree, row))
      const rows = [...childrenOf(tree, folder)].filter(isCounted)
      return { told: tell(tree, rows), sums: rows.map((row) => sumOf(folderAt(tree, row), counted)) }
    },
    changed(places) {
      for (const place of places) {
        // Of what is not known, where it begins not to be.
        let at = place
        let folder = folderByPath(tree, segmentsOf(parentOf(at)))
        while (folder === null && at !== ROOT) {
          at = parentOf(at)
          folder = folderByPath(tree, segmentsOf(parentOf(at)))
        }
        if (at !== ROOT) keeper.note(folder ?? ROOT_FOLDER, nameOf(at))
        keeper.noteBelow(folderByPath(tree, segmentsOf(at)))
      }
    },
    async settled() {
      keeper.listen()
      for (let count = 0; keeper.step() !== 'nothing'; count++) if (count % 100 === 0) await turn()
      isReady = true
      show()
    },
    async stop() {
      stopping.abort()
      await running
      keeper.stop()
      await saving
      if (failure === null && saved.changes !== keeper.changes()) await writeSnapshot(file, mark, tree).catch(() => undefined)
      disk.close()
    },
  }
}
