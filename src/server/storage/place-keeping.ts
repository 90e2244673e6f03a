import { linkSync, renameSync, unlinkSync } from 'node:fs'
import { codeOf, fail } from '../../shared/errors.ts'
import type { Address } from './address.ts'
import { type DiskIo, syncFolder } from './disk-io.ts'
import { type KeptPlace, makeSlot, openArea, openVolume, removeSlot } from './kept-folders.ts'
import { libc } from './libc.ts'
import { statAt } from './nodes.ts'
import { type FolderEntry, type Outcome, renameOver } from './placing.ts'
import { incomingName } from './private-name.ts'
import type { Stat } from './storage.ts'
import { volumeMark } from './volumes.ts'
import { entryPath } from './proc-paths.ts'

export interface KeepingPlace extends KeptPlace {
  /** `.` in the uppermost folder of the volume. */
  readonly volume: Address
}

/** Operations that a file system may lack or refuse for a file. @returns false if so; nothing was done */
export interface TwoNames {
  /** Makes a hard link. */
  link(from: FolderEntry, to: FolderEntry): boolean
  /** Swaps two names in one step (RENAME_EXCHANGE). Some FUSE file systems do a rename instead, after which `one` is gone. */
  exchange(one: FolderEntry, other: FolderEntry): boolean
}

export interface KeepingOptions {
  readonly keep: KeepingPlace
  readonly io: DiskIo
  /** Makes the bytes of the new file durable. */
  readonly sync: () => Promise<void>
  /** Whether `from` is outside the private folder, where users would see a second name of the file. */
  readonly isSeen?: boolean
  /** Fewer in tests. */
  readonly can?: TwoNames
}

/** How often the file may be replaced by another process before this gives up keeping it. */
const MOST_TRIES = 5

/**
 * Publishes a staged file like `renameOver` and keeps the regular file that it replaces. The old file first gets a durable hard link in the private
 * folder. Then the two names are swapped, so that the kept file is the one that was replaced even if another process replaced it meanwhile; on file
 * systems without a swap its identity is checked once more before the rename. Without a hard link (FAT, or `protected_hardlinks` for another user's
 * file) the swap alone keeps it; without either, nothing is kept. The staged file keeps its staging name until it is published (see `placing.ts`).
 */
export async function replaceAndKeep(from: FolderEntry, to: FolderEntry, options: KeepingOptions): Promise<Outcome> {
  const { keep, io, sync, isSeen = false, can = SYSTEM } = options
  using top = openVolume(keep.volume)
  if (volumeMark(to.folder.fd) !== volumeMark(top.fd)) {
    await sync()
    return renameOver(from, to)
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
      // From here on the code is synchronous.
      if (old?.identity === at(to)?.identity) {
        const outcome = placeNow(names, { isKept: old?.kind === 'file', isLinked, isSeen, can })
        // The swap is not durable yet.
        if (outcome === 'placed' && !(isLinked && at(kept)?.identity === old?.identity)) await syncFolder(slot, io)
        if (outcome !== null) return outcome
      }
      drop(kept)
    }
    return fail('busy', {})
  } finally {
    // Only if nothing was kept.
    removeSlot(slots, keep.id)
  }
}

interface Names {
  readonly from: FolderEntry
  readonly to: FolderEntry
  readonly kept: FolderEntry
  /** The second name of the staged file, which is swapped with `to`. */
  readonly incoming: FolderEntry
}

interface PlaceOptions {
  readonly isKept: boolean
  readonly isLinked: boolean
  readonly isSeen: boolean
  readonly can: TwoNames
}

/** @returns null if another process replaced the file first; nothing was done */
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
    outcome = renameOver(from, to)
    return outcome
  } finally {
    if (outcome !== 'placed') drop(kept)
  }
}

/** Swaps a second name of the staged file, so that it has one in staging until it is published. */
function swap({ from, to, kept, incoming }: Names, can: TwoNames): boolean {
  // A crash may have left one here.
  drop(incoming)
  if (!can.link(from, incoming)) return false
  if (!exchangeFiles(incoming, to, can)) {
    drop(incoming)
    return false
  }
  const replaced = at(incoming)
  // If they differ, another process replaced the file after it was linked: keep the one that was replaced.
  if (replaced !== null && replaced.identity !== at(kept)?.identity) renameSync(address(incoming), address(kept))
  drop(incoming)
  drop(from)
  return true
}

/** Swap without hard links. The new file is first moved to where the old one goes: a crash must not leave old bytes in staging, to be published. */
function swapOnly({ from, to, kept }: Names, can: TwoNames): boolean {
  renameSync(address(from), address(kept))
  if (exchangeFiles(kept, to, can)) return true
  renameSync(address(kept), address(from))
  return false
}

/** Swaps two files. Swaps back if `other` was a folder: a folder is never replaced. */
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
      // The caller checks again what exists (ENOENT).
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
  return entryPath(folder, name)
}

function drop(one: FolderEntry): void {
  try {
    unlinkSync(address(one))
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}
