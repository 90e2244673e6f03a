import { linkSync, renameSync, unlinkSync } from 'node:fs'
import { codeOf, fail } from '../../shared/errors.ts'
import type { Address } from './address.ts'
import { type DiskIo, syncFolder } from './disk-io.ts'
import { type KeptPlace, makeSlot, openArea, openVolume, removeSlot } from './kept-folders.ts'
import { libc } from './libc.ts'
import { statAt } from './nodes.ts'
import { type FolderEntry, type Outcome, placeOver } from './placing.ts'
import { incomingName } from './private-name.ts'
import type { Stat } from './storage.ts'
import { volumeMark } from './volumes.ts'
import { entry } from './walk.ts'

export interface KeepingPlace extends KeptPlace {
  /** `.` in its uppermost folder. */
  readonly volume: Address
}

/** What a file system can do, and does not refuse for this file. @returns false where not, and nothing was done */
export interface TwoNames {
  /** A second name for a node. */
  link(from: FolderEntry, to: FolderEntry): boolean
  /** Two names change their nodes, in one step. Some programs in user space take it for a rename, after which `one` is gone. */
  exchange(one: FolderEntry, other: FolderEntry): boolean
}

export interface KeepingOptions {
  readonly keep: KeepingPlace
  readonly io: DiskIo
  /** Makes the bytes of the new file durable. */
  readonly sync: () => Promise<void>
  /** Whether the file has a name that people see: then it gets no second one beside it. */
  readonly isSeen?: boolean
  /** Less in tests. */
  readonly can?: TwoNames
}

/** How often somebody else may replace the file while its content is being kept. */
const MOST_TRIES = 5

/**
 * Gives a staged file a name as `placeOver` does, and keeps the regular file that has it now: by a second name that is durable before the first goes to
 * another. The two files then change places, so that what is kept is what was replaced, whoever was faster; where the file system cannot do that, a
 * last look has to do. Somebody else's file may get no second name from us (`protected_hardlinks`), and FAT has none: then the change of places alone
 * keeps it. Where there is neither, nothing is kept. The staged file has its own name until it has its place, as `placing.ts` has it.
 */
export async function placeKeeping(from: FolderEntry, to: FolderEntry, options: KeepingOptions): Promise<Outcome> {
  const { keep, io, sync, isSeen = false, can = SYSTEM } = options
  using top = openVolume(keep.volume)
  if (volumeMark(to.folder.fd) !== volumeMark(top.fd)) {
    await sync()
    return placeOver(from, to)
  }
  using slots = await openArea(top, keep.area, io)
  using slot = makeSlot(slots, keep.id)
  const kept = { folder: slot, name: to.name }
  const names = { from, to, kept, incoming: { folder: from.folder, name: incomingName(from.name) } }
  try {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const old = at(to)
      const isLinked = old?.kind === 'file' && can.link(to, kept)
      await Promise.all([sync(), syncFolder(slots, io), syncFolder(slot, io)])
      // From here on nothing is waited for.
      if (old?.identity === at(to)?.identity) {
        const outcome = placeNow(names, { isKept: old?.kind === 'file', isLinked, isSeen, can })
        // What has changed places is not durable yet.
        if (outcome === 'placed' && !(isLinked && at(kept)?.identity === old?.identity)) await syncFolder(slot, io)
        if (outcome !== null) return outcome
      }
      drop(kept)
    }
    return fail('busy', {})
  } finally {
    // Where nothing was kept.
    removeSlot(slots, keep.id)
  }
}

interface Names {
  readonly from: FolderEntry
  readonly to: FolderEntry
  readonly kept: FolderEntry
  /** On its way to `to`. */
  readonly incoming: FolderEntry
}

interface PlaceOptions {
  readonly isKept: boolean
  readonly isLinked: boolean
  readonly isSeen: boolean
  readonly can: TwoNames
}

/** @returns null where somebody else was faster; nothing was done */
function placeNow(names: Names, { isKept, isLinked, isSeen, can }: PlaceOptions): Outcome | null {
  const { from, to, kept } = names
  if (isKept && !isSeen && (swap(names, can) || (!isLinked && swapOnly(names, can)))) return 'placed'
  if (isKept && isSeen && !isLinked && exchangeFiles(from, to, can)) {
    if (at(from) !== null) renameSync(address(from), address(kept))
    return 'placed'
  }
  if (isLinked && at(kept)?.identity !== at(to)?.identity) return null
  let outcome: Outcome | null = null
  try {
    outcome = placeOver(from, to)
    return outcome
  } finally {
    if (outcome !== 'placed') drop(kept)
  }
}

/** By a second name of the staged file, so that it has one in staging until it has its place. */
function swap({ from, to, kept, incoming }: Names, can: TwoNames): boolean {
  // Of a commit that ended here.
  drop(incoming)
  if (!can.link(from, incoming)) return false
  if (!exchangeFiles(incoming, to, can)) {
    drop(incoming)
    return false
  }
  const replaced = at(incoming)
  // Where they differ, somebody replaced the file meanwhile and has kept that by now: what we replaced is theirs.
  if (replaced !== null && replaced.identity !== at(kept)?.identity) renameSync(address(incoming), address(kept))
  drop(incoming)
  drop(from)
  return true
}

/** Where there are no second names. The new file waits where the old one goes: a crash must not leave old bytes in staging, to be published anew. */
function swapOnly({ from, to, kept }: Names, can: TwoNames): boolean {
  renameSync(address(from), address(kept))
  if (exchangeFiles(kept, to, can)) return true
  renameSync(address(kept), address(from))
  return false
}

/** No folder is replaced. */
function exchangeFiles(one: FolderEntry, other: FolderEntry, can: TwoNames): boolean {
  if (!can.exchange(one, other)) return false
  return at(one)?.kind !== 'folder' || !can.exchange(one, other)
}

const SYSTEM: TwoNames = {
  link(from, to) {
    try {
      linkSync(address(from), address(to))
      return true
    } catch (error) {
      // What is gone meanwhile is seen by the next look.
      if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EINVAL', 'ENOENT'].includes(codeOf(error))) return false
      throw error
    }
  },
  exchange: (one, other) => libc()?.renameExchange(one.folder, one.name, other.folder, other.name) ?? false,
}

function at({ folder, name }: FolderEntry): Stat | null {
  return statAt(folder, name)
}

function address({ folder, name }: FolderEntry): string | Buffer {
  return entry(folder, name)
}

function drop(one: FolderEntry): void {
  try {
    unlinkSync(address(one))
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}
