import { isPrivateName } from '../storage/private-name.ts'
import type { Folder } from '../storage/walk.ts'
import { IGNORED, OVERFLOW, UNMOUNTED } from '../storage/watching.ts'
import type { OpenFailure, Disk } from './disk.ts'
import { type FolderFinding, applyFindings } from './apply-findings.ts'
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
  type Seen,
  type Tree,
  UNREAD,
} from './tree.ts'

/** More changed names of one folder than that, and it is read as a whole. */
const NAMES_AT_ONCE = 8192
/** More nodes with several names than that are not followed one by one. */
const NODES_AT_ONCE = 10_000
/** Entries looked at between two chances to do something else. */
const ENTRIES_AT_ONCE = 256
/** More places in doubt than that are not gone through for a question. */
const MAX_CHANGES_CHECKED = 2000
/** A folder that changed so shortly before it was read may change again without another time. */
const COARSE_MS = 2000

/** What was done by a step: found out about a change, read what was unknown, looked whether all is as it was, or nothing. */
export type StepResult = 'change' | 'reading' | 'looking' | 'nothing'

/** Keeps a tree in step with its disk. */
export interface Reconciler {
  /** Takes in what the kernel told meanwhile; quick. */
  listen(): void
  /** Does a little of what there is to do; what changed first. */
  step(): StepResult
  /** Whether everything below a folder is known, and nothing was told that is not taken in. */
  isKnown(folder: number): boolean
  /** Something may have happened to an entry. */
  markChanged(folder: number, name: string): void
  /** Something may have happened anywhere in a folder, of which nobody tells where it is not watched. */
  markSubtreeChanged(folder: number | null): void
  /** Begins with a new tree, or goes on with one as it was left: looks at every folder whether it is as it was, then at each entry. */
  begin(how: 'new' | 'left'): void
  /** Looks at what nobody tells of: folders that are not watched. */
  rescanUnwatched(): void
  /** Numbers mean other folders now. To be told only when there was nothing to do. @param numbers as `compact` gives them */
  renumbered(numbers: Uint32Array): void
  /** Counts what may have made the tree another. */
  changes(): number
  stop(): void
}

export function createReconciler(tree: Tree, disk: Disk, { mostWatches, now }: { mostWatches: number; now: () => number }): Reconciler {
  const { folders } = tree
  const owners = new Map<number, number>()
  let changedNames = new Map<number, Set<string>>()
  const unread: number[] = []
  const toRead = new Set<number>()
  /** The disk failed there. */
  const failed = new Set<number>()
  const toCheckFolders: number[] = []
  let toCheckEntries: number[] = []
  let reading: number | null = null
  let checksEverything = false
  let isBegun = false
  let changes = 0
  /** Nodes with several names: what is written through one is told of that one only. */
  const shared = new Set<number>()

  function open(folder: number): Folder | OpenFailure {
    const segments: string[] = []
    for (let at = folder; at !== ROOT_FOLDER;) {
      const row = folders.row[at] ?? NO_ROW
      if (row === NO_ROW) return 'gone'
      segments.push(nameOfRow(tree, row))
      at = tree.parent[row] ?? ROOT_FOLDER
    }
    return disk.open(segments.reverse())
  }

  function markChanged(folder: number, name: string): void {
    if (isGone(tree, folder) || toRead.has(folder)) return
    const names = changedNames.get(folder) ?? new Set()
    changedNames.set(folder, names.add(name))
    if (names.size <= NAMES_AT_ONCE) return
    changedNames.delete(folder)
    toRead.add(folder)
  }

  /** The folder itself: gone, or another in its place. */
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

  /** Has a folder watched, seen as `name` in an open one. */
  function watch(folder: number, at: Folder, name: string, device: number): void {
    if ((folders.watch[folder] ?? -1) >= 0 || owners.size >= mostWatches || disk.isRemote(at, name, device)) return
    const number = disk.watch(at, name)
    const other = owners.get(number)
    if (number < 0) return
    if (other !== undefined) {
      // One folder at two places, as with a bind mount: the second is not told of.
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

  function take(findings: readonly FolderFinding[]): void {
    changes += 1
    applyFindings(tree, findings, {
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
    })
  }

  function checkChangedNames(): void {
    const round = changedNames
    changedNames = new Map()
    const findings: FolderFinding[] = []
    const displaced: number[] = []
    for (const [folder, wanted] of round) {
      // What is not read yet is read later than this.
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
      const seen: Seen[] = []
      for (const name of wanted) {
        const found = disk.see(place, name)
        if (found !== null) seen.push(found)
      }
      findings.push({ folder, seen, wanted: [...wanted] })
    }
    take(findings)
    // It went another way, or another is in its place.
    for (const folder of displaced) if (!isGone(tree, folder)) toRead.add(folder)
  }

  /** Has the other names of nodes looked at to which something happened. */
  function markLinkedNames(): void {
    const nodes = new Set(shared)
    shared.clear()
    // So many are looked at in the order of the folders; when everything was read for the first time, it was just looked at.
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
    // First, so that nothing happens between.
    watch(folder, place, '', own.device)
    const names = disk.names(place)
    if (typeof names === 'string') {
      unreadable(folder, names)
      return
    }
    folders.inode[folder] = own.inode
    reading = done === 'looking' ? null : folder
    const readAt = now()
    // Nobody asks about a folder before it is read, so the first time its entries are taken in as they come: all at once, those of 300,000 took 80 MB
    // (R17). What is known already is compared as a whole.
    const wanted = folders.state[folder] === UNREAD && folders.first[folder] === 0 ? [] : null
    let seen: Seen[] = []
    for (const number of names.keys()) {
      const found = disk.see(place, names.at(number) ?? '')
      if (found !== null) seen.push(found)
      if (number % ENTRIES_AT_ONCE !== ENTRIES_AT_ONCE - 1) continue
      if (wanted !== null) {
        take([{ folder, seen, wanted }])
        seen = []
      }
      yield done
    }
    reading = null
    if (isGone(tree, folder)) return
    take([{ folder, seen, wanted }])
    folders.changed[folder] = readAt - own.changed < COARSE_MS ? Number.NaN : own.changed
    folders.state[folder] = READ
    yield done
  }

  /** What cannot be read holds nothing, as for whoever walks; a disk that fails is asked again later. */
  function unreadable(folder: number, why: OpenFailure): void {
    reading = null
    if (why === 'failed') failed.add(folder)
    if (why === 'denied') take([{ folder, seen: [], wanted: null }])
    folders.state[folder] = READ
    folders.changed[folder] = Number.NaN
    // Whatever is found there next is taken for another.
    if (why !== 'failed') folders.inode[folder] = Number.NaN
    if (why === 'gone') markFolderChanged(folder)
  }

  /** Whether the folders in a folder are as they were. */
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
    listen() {
      let isLost = false
      for (const { watch: number, mask, name } of disk.events()) {
        isLost ||= (mask & OVERFLOW) !== 0
        const folder = owners.get(number)
        if (folder === undefined) continue
        if ((mask & (IGNORED | UNMOUNTED)) !== 0) {
          owners.delete(number)
          folders.watch[folder] = -1
          // The next one with this number of node is another.
          folders.inode[folder] = Number.NaN
          markFolderChanged(folder)
        } else if (name !== '' && !isPrivateName(name)) markChanged(folder, name)
      }
      if (isLost) recheck()
    },
    step: () => work.next().value ?? 'nothing',
    isKnown(folder) {
      if (folders.state[folder] !== READ || toCheckFolders.length > 0) return false
      if ((isBegun && shared.size > 0) || unread.length + toRead.size + changedNames.size > MAX_CHANGES_CHECKED) return false
      const doubts = [...unread, ...toRead, ...failed, ...changedNames.keys(), ...(reading === null ? [] : [reading])]
      return !doubts.some((doubt) => isInside(tree, doubt, folder))
    },
    markChanged,
    markSubtreeChanged(top) {
      if (top === null || owners.size === folders.count) return
      for (const folder of foldersWhere((at) => isUnwatched(at) && isInside(tree, at, top))) toRead.add(folder)
    },
    begin(how) {
      for (const folder of foldersWhere((at) => folders.state[at] === UNREAD)) unread.push(folder)
      if (how === 'left') recheck()
    },
    rescanUnwatched() {
      for (const folder of failed) toRead.add(folder)
      failed.clear()
      if (toCheckEntries.length === 0) toCheckEntries = foldersWhere(isUnwatched)
    },
    renumbered(numbers) {
      const before = [...failed]
      failed.clear()
      for (const folder of before.map((old) => numbers[old] ?? NO_FOLDER)) if (folder !== NO_FOLDER) failed.add(folder)
      owners.clear()
      for (let folder = 0; folder < folders.count; folder++)
        if ((folders.watch[folder] ?? -1) >= 0) owners.set(folders.watch[folder] ?? -1, folder)
    },
    changes: () => changes,
    stop: () => void work.return(),
  }
}
