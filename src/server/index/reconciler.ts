import { isPrivateName } from '../storage/private-name.ts'
import type { Folder } from '../storage/proc-paths.ts'
import { IGNORED, OVERFLOW, UNMOUNTED } from '../storage/watching.ts'
import type { OpenFailure, Disk } from './disk.ts'
import type { OnFound } from './found-changes.ts'
import { rowsByName } from './rows-by-name.ts'
import { beginUpdate, type Update } from './tree-update.ts'
import {
  childrenOf,
  FOLDER,
  folderAt,
  isGone,
  isInside,
  kindAt,
  nameOfRow,
  NO_FOLDER,
  NO_ROW,
  parentFolder,
  READ,
  ROOT_FOLDER,
  type Tree,
  UNREAD,
} from './tree.ts'

/** With more changed names than this, a folder is read as a whole. */
const NAMES_AT_ONCE = 8192
/** With more hard-linked nodes than this, they are not checked one by one. */
const NODES_AT_ONCE = 10_000
/** Entries checked between two yields. */
const ENTRIES_AT_ONCE = 256
/** With more changes than this, a query does not wait for them. */
const MAX_CHANGES_CHECKED = 2000
/** A folder that changed this shortly before it was read may change again with the same timestamp. */
const COARSE_MS = 2000

/** What a step did: processed a change, read an unknown folder, checked known ones, or nothing. */
export type StepResult = 'change' | 'reading' | 'looking' | 'nothing'

/** Keeps a tree in step with its disk. @param options.onFound called once everything has been checked after the start */
export function createReconciler(
  tree: Tree,
  disk: Disk,
  { mostWatches, now, onFound }: { mostWatches: number; now: () => number; onFound?: OnFound },
) {
  const { folders } = tree
  const owners = new Map<number, number>()
  let changedNames = new Map<number, Set<string>>()
  const unread: number[] = []
  const toRead = new Set<number>()
  /** Folders that could not be read because of a disk error. */
  const failed = new Set<number>()
  const toCheckFolders: number[] = []
  let toCheckEntries: number[] = []
  let reading: number | null = null
  let checksEverything = false
  let isBegun = false
  /** Everything has been checked since the start: what is found from now on has just happened. */
  let isLive = false
  let changes = 0
  /** Nodes with several names: a write is reported only for the name that was used. */
  const shared = new Set<number>()

  function open(folder: number): Folder | OpenFailure {
    const segments = segmentsTo(folder)
    return segments === null ? 'gone' : disk.open(segments)
  }

  function segmentsTo(folder: number): string[] | null {
    const segments: string[] = []
    for (let at = folder; at !== ROOT_FOLDER;) {
      const row = folders.row[at] ?? NO_ROW
      if (row === NO_ROW) return null
      segments.push(nameOfRow(tree, row))
      at = tree.parent[row] ?? ROOT_FOLDER
    }
    return segments.reverse()
  }

  function report(folder: number, name: string, change: Parameters<OnFound>[1], isFolder: boolean): void {
    const segments = (folders.watch[folder] ?? -1) < 0 ? null : segmentsTo(folder)
    if (segments !== null) onFound?.([...segments, name], change, isFolder)
  }

  function markChanged(folder: number, name: string): void {
    if (isGone(tree, folder) || toRead.has(folder)) return
    const names = changedNames.get(folder) ?? new Set()
    changedNames.set(folder, names.add(name))
    if (names.size <= NAMES_AT_ONCE) return
    changedNames.delete(folder)
    toRead.add(folder)
  }

  /** The folder itself: removed, or replaced by another. */
  function markFolderChanged(folder: number): void {
    const above = parentFolder(tree, folder)
    if (above !== null) markChanged(above, nameOfRow(tree, folders.row[folder] ?? 0))
  }

  function forget(folder: number): void {
    const number = folders.watch[folder] ?? -1
    folders.watch[folder] = -1
    if (number < 0 || owners.get(number) !== folder) return
    owners.delete(number)
    disk.unwatch(number)
  }

  /** Watches a folder, by its name in an open one. */
  function watch(folder: number, at: Folder, name: string, device: number): void {
    if ((folders.watch[folder] ?? -1) >= 0 || owners.size >= mostWatches || disk.isRemote(at, name, device)) return
    const number = disk.watch(at, name)
    const other = owners.get(number)
    if (number < 0) return
    if (other !== undefined) {
      // One folder at two paths, as with a bind mount: events are reported for one only.
      if (other === folder || isInPlace(other)) return
      folders.watch[other] = -1
      folders.inode[other] = Number.NaN
      markFolderChanged(other)
    }
    owners.set(number, folder)
    folders.watch[folder] = number
  }

  function isInPlace(folder: number): boolean {
    const above = parentFolder(tree, folder)
    if (above === null) return folder === ROOT_FOLDER
    const at = open(above)
    if (typeof at === 'string') return false
    using place = at
    return disk.stamp(place, nameOfRow(tree, folders.row[folder] ?? 0))?.inode === folders.inode[folder]
  }

  function begin(): Update {
    changes += 1
    return beginUpdate(tree, {
      onNew: (folder) => unread.push(folder),
      onGone: forget,
      onShared: (node) => void shared.add(node),
      isMoved(folder, { folder: into, seen }) {
        const known = folders.watch[folder] ?? -1
        const at = known < 0 ? 'gone' : open(into)
        if (typeof at === 'string') return false
        using place = at
        return disk.watch(place, seen.name) === known
      },
      ...(isLive &&
        onFound && {
          onFound: (folder, { name, kind }, change) => report(folder, name, change, kind === FOLDER),
          onMissed: (row) => report(tree.parent[row] ?? ROOT_FOLDER, nameOfRow(tree, row), 'gone', kindAt(tree, row) === FOLDER),
        }),
    })
  }

  function end(update: Update): void {
    changes += 1
    update.end()
  }

  function checkChangedNames(): void {
    const round = changedNames
    changedNames = new Map()
    const update = begin()
    const displaced: number[] = []
    for (const [folder, wanted] of round) {
      // What has not been read yet will be read later than this.
      if (isGone(tree, folder) || folders.state[folder] === UNREAD) continue
      const at = open(folder)
      if (typeof at === 'string') {
        displaced.push(folder)
        continue
      }
      using place = at
      if (disk.stamp(place, '')?.inode !== folders.inode[folder]) {
        displaced.push(folder)
        continue
      }
      const rows = rowsByName(tree, folder, wanted)
      for (const name of wanted) {
        const found = disk.see(place, name)
        if (found !== null) update.see(folder, found, rows)
      }
      update.seenAll(rows)
    }
    end(update)
    // Moved elsewhere, or another one is in its place.
    for (const folder of displaced) if (!isGone(tree, folder)) toRead.add(folder)
  }

  /** Checks the other names of hard-linked nodes that changed. */
  function markLinkedNames(): void {
    const nodes = new Set(shared)
    shared.clear()
    // Too many: they are checked in the order of the folders. After the first scan they have just been read.
    checksEverything ||= isBegun && nodes.size > NODES_AT_ONCE
    if (!isBegun || nodes.size > NODES_AT_ONCE) return
    for (let row = 0; row < tree.rows; row++)
      if (nodes.has(tree.node[row] ?? 0) && kindAt(tree, row) !== 0) markChanged(tree.parent[row] ?? ROOT_FOLDER, nameOfRow(tree, row))
  }

  /** Reads a folder as a whole. */
  function* read(folder: number, done: StepResult): Generator<StepResult> {
    if (isGone(tree, folder)) return
    const at = open(folder)
    if (typeof at === 'string') {
      unreadable(folder, at)
      return
    }
    using place = at
    const own = disk.stamp(place, '')
    if (own === null) {
      unreadable(folder, 'failed')
      return
    }
    if (own.inode !== folders.inode[folder]) forget(folder)
    // First, so that no change is missed in between.
    watch(folder, place, '', own.device)
    const names = disk.names(place)
    if (typeof names === 'string') {
      unreadable(folder, names)
      return
    }
    folders.inode[folder] = own.inode
    reading = done === 'looking' ? null : folder
    const readAt = now()
    const update = begin()
    const rows = rowsByName(tree, folder, null)
    for (const number of names.keys()) {
      const found = disk.see(place, names.at(number) ?? '')
      if (found !== null) update.see(folder, found, rows)
      if (number % ENTRIES_AT_ONCE === ENTRIES_AT_ONCE - 1) yield done
    }
    reading = null
    if (isGone(tree, folder)) return
    update.seenAll(rows)
    end(update)
    folders.changed[folder] = readAt - own.changed < COARSE_MS ? Number.NaN : own.changed
    folders.state[folder] = READ
    yield done
  }

  /** An unreadable folder has no content, as on a walk; after a disk error it is read again later. */
  function unreadable(folder: number, why: OpenFailure): void {
    reading = null
    if (why === 'failed') failed.add(folder)
    if (why === 'denied') {
      const update = begin()
      update.seenAll(rowsByName(tree, folder, null))
      end(update)
    }
    folders.state[folder] = READ
    folders.changed[folder] = Number.NaN
    // The next node at this path counts as another folder.
    if (why !== 'failed') folders.inode[folder] = Number.NaN
    if (why === 'gone') markFolderChanged(folder)
  }

  /** Checks whether the folders in a folder are unchanged. */
  function* check(folder: number): Generator<StepResult> {
    if (isGone(tree, folder) || folders.state[folder] === UNREAD) return
    const at = open(folder)
    if (typeof at === 'string') {
      if (at === 'gone') markFolderChanged(folder)
      return
    }
    using place = at
    if (folder === ROOT_FOLDER) compare(folder, place, '')
    let count = 0
    for (const row of childrenOf(tree, folder)) {
      if (kindAt(tree, row) !== FOLDER) continue
      const number = folderAt(tree, row)
      if (folders.state[number] !== UNREAD) compare(number, place, nameOfRow(tree, row))
      if ((folders.folderSum[number] ?? 0) > 0) toCheckFolders.push(number)
      if (++count % ENTRIES_AT_ONCE === 0) yield 'change'
    }
    yield 'change'
  }

  function compare(folder: number, place: Folder, name: string): void {
    const before = disk.stamp(place, name)
    if (before === null || before.inode !== folders.inode[folder]) {
      if (folder === ROOT_FOLDER) toRead.add(folder)
      else markFolderChanged(folder)
      return
    }
    watch(folder, place, name, before.device)
    if (disk.stamp(place, name)?.changed !== folders.changed[folder]) toRead.add(folder)
  }

  function* nextStep(): Generator<StepResult, void> {
    for (;;) {
      const next = toCheckFolders.pop() ?? null
      const fresh = next === null && changedNames.size === 0 ? unread.pop() : undefined
      const [old] = toRead
      if (next !== null) yield* check(next)
      else if (changedNames.size > 0) {
        checkChangedNames()
        yield 'change'
      } else if (fresh !== undefined) {
        if (folders.state[fresh] === UNREAD) yield* read(fresh, 'reading')
      } else if (old !== undefined) {
        toRead.delete(old)
        yield* read(old, 'reading')
      } else if (shared.size > 0) {
        markLinkedNames()
        yield 'change'
      } else {
        isBegun = true
        yield* look()
      }
    }
  }

  function* look(): Generator<StepResult> {
    if (checksEverything) {
      checksEverything = false
      toCheckEntries = foldersWhere((folder) => folders.state[folder] === READ)
    }
    const next = toCheckEntries.pop()
    isLive ||= next === undefined
    if (next === undefined) yield 'nothing'
    else yield* read(next, 'looking')
  }

  function foldersWhere(holds: (folder: number) => boolean): number[] {
    const found: number[] = []
    for (let folder = folders.count - 1; folder >= 0; folder--) if (holds(folder)) found.push(folder)
    return found
  }

  function isUnwatched(folder: number): boolean {
    return folders.state[folder] === READ && (folders.watch[folder] ?? -1) < 0
  }

  function recheck(): void {
    toCheckFolders.push(ROOT_FOLDER)
    checksEverything = true
  }

  const work = nextStep()

  return {
    /** Reads pending kernel events; fast. */
    listen() {
      let isLost = false
      for (const { watch: number, mask, name } of disk.events()) {
        isLost ||= (mask & OVERFLOW) !== 0
        const folder = owners.get(number)
        if (folder === undefined) continue
        if ((mask & (IGNORED | UNMOUNTED)) !== 0) {
          owners.delete(number)
          folders.watch[folder] = -1
          // The next folder with this inode number counts as another.
          folders.inode[folder] = Number.NaN
          markFolderChanged(folder)
        } else if (name !== '' && !isPrivateName(name)) markChanged(folder, name)
      }
      if (isLost) recheck()
    },
    /** Does a small part of the pending work, changes first. */
    step: () => work.next().value ?? 'nothing',
    /** Whether everything below a folder is known and no event is pending. */
    isKnown(folder: number): boolean {
      if (folders.state[folder] !== READ || toCheckFolders.length > 0) return false
      if ((isBegun && shared.size > 0) || unread.length + toRead.size + changedNames.size > MAX_CHANGES_CHECKED) return false
      const doubts = [...unread, ...toRead, ...failed, ...changedNames.keys(), ...(reading === null ? [] : [reading])]
      return !doubts.some((doubt) => isInside(tree, doubt, folder))
    },
    /** Something may have happened to an entry. */
    markChanged,
    /** Something may have happened anywhere below a folder; needed where it is not watched. */
    markSubtreeChanged(top: number | null) {
      if (top === null || owners.size === folders.count) return
      for (const folder of foldersWhere((at) => isUnwatched(at) && isInside(tree, at, top))) toRead.add(folder)
    },
    /** Starts with a new tree, or with a saved one: checks every folder, then every entry. */
    begin(how: 'new' | 'left') {
      for (const folder of foldersWhere((at) => folders.state[at] === UNREAD)) unread.push(folder)
      if (how === 'left') recheck()
    },
    /** Checks folders that are not watched. */
    rescanUnwatched() {
      for (const folder of failed) toRead.add(folder)
      failed.clear()
      if (toCheckEntries.length === 0) toCheckEntries = foldersWhere(isUnwatched)
    },
    /** Folder numbers have changed. Only call it when there was nothing to do. @param numbers as returned by `compact` */
    renumbered(numbers: Uint32Array) {
      const before = [...failed]
      failed.clear()
      for (const folder of before.map((old) => numbers[old] ?? NO_FOLDER)) if (folder !== NO_FOLDER) failed.add(folder)
      owners.clear()
      for (let folder = 0; folder < folders.count; folder++)
        if ((folders.watch[folder] ?? -1) >= 0) owners.set(folders.watch[folder] ?? -1, folder)
    },
    /** Counts possible changes of the tree. */
    changes: () => changes,
    stop: () => void work.return(),
  }
}
