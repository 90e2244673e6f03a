import { linkSync, renameSync, unlinkSync } from 'node:fs'
import { codeOf, fail } from '../../shared/errors.ts'
import type { Address } from './address.ts'
import { type DiskIo, syncFolder } from './disk-io.ts'
import { type KeptPlace, makeSlot, nameIn, openArea, openVolume, removeSlot } from './kept-folders.ts'
import { libc } from './libc.ts'
import { statAt } from './nodes.ts'
import { type FolderEntry, type Outcome, placeOver } from './placing.ts'
import type { Stat } from './storage.ts'
import { volumeMark } from './volumes.ts'
import { entry, type Folder } from './walk.ts'

export interface KeepingPlace extends KeptPlace {
  /** `.` in its uppermost folder. */
  readonly volume: Address
}

export interface KeepingOptions {
  readonly keep: KeepingPlace
  readonly io: DiskIo
  /** Makes the bytes of the new file durable. */
  readonly sync: () => Promise<void>
  /** Others in tests. */
  readonly link?: typeof linkSync
  readonly exchange?: (from: FolderEntry, to: FolderEntry) => boolean
}

/** How often somebody else may replace the file while its content is being kept. */
const MOST_TRIES = 5

/**
 * Gives a staged file a name as `placeOver` does, and keeps the regular file that has it now: by a second name that is durable before the first goes to
 * another. Where there is no such thing, or not for somebody else's file (`protected_hardlinks`), the two files change their names in one step. Where
 * there is not even that, nothing is kept.
 */
export async function placeKeeping(from: FolderEntry, to: FolderEntry, options: KeepingOptions): Promise<Outcome> {
  const { keep, io } = options
  using top = openVolume(keep.volume)
  if (volumeMark(to.folder.fd) !== volumeMark(top.fd)) {
    await options.sync()
    return placeOver(from, to)
  }
  using slots = await openArea(top, keep.area, io)
  using slot = makeSlot(slots, keep.id)
  try {
    return await placeWithSlot(from, to, { ...options, slots, slot })
  } finally {
    // Nothing was kept.
    removeSlot(slots, keep.id)
  }
}

async function placeWithSlot(
  from: FolderEntry,
  to: FolderEntry,
  { slots, slot, io, sync, link = linkSync, exchange = exchangeNames }: KeepingOptions & { slots: Folder; slot: Folder },
): Promise<Outcome> {
  const there = (): Stat | null => statAt(to.folder, to.name)
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const old = there()
    const isKept = old?.kind === 'file' && linkInto(slot, to, link)
    await Promise.all([sync(), syncFolder(slots, io), syncFolder(slot, io)])
    // From here on nothing is waited for.
    const isSame = old?.identity === there()?.identity && (!isKept || statAt(slot, to.name)?.identity === old.identity)
    if (isSame && old?.kind === 'file' && !isKept && swapInto(slot, { from, to, exchange })) {
      await syncFolder(slot, io)
      return 'placed'
    }
    const outcome = isSame ? placeOr(from, to, () => isKept && unlinkSync(entry(slot, to.name))) : null
    if (outcome !== null) return outcome
    if (isKept) unlinkSync(entry(slot, to.name))
  }
  return fail('busy', {})
}

/** @param undo what was kept, where nothing was replaced */
function placeOr(from: FolderEntry, to: FolderEntry, undo: () => unknown): Outcome {
  let outcome: Outcome | null = null
  try {
    outcome = placeOver(from, to)
    return outcome
  } finally {
    if (outcome !== 'placed') undo()
  }
}

/** @returns false where the file system cannot, or not for this file */
function linkInto(slot: Folder, to: FolderEntry, link: typeof linkSync): boolean {
  try {
    link(entry(to.folder, to.name), entry(slot, to.name))
    return true
  } catch (error) {
    // Gone meanwhile: the next look tells.
    if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EINVAL', 'ENOENT'].includes(codeOf(error))) return false
    throw error
  }
}

/** The new file waits in the slot: were it in staging, a crash would leave the old bytes there, to be published as new ones. */
function swapInto(slot: Folder, { from, to, exchange }: { from: FolderEntry; to: FolderEntry; exchange: typeof exchangeNames }): boolean {
  const kept = { folder: slot, name: to.name }
  renameSync(entry(from.folder, from.name), entry(slot, to.name))
  if (exchange(kept, to)) return true
  renameSync(entry(slot, to.name), entry(from.folder, from.name))
  return false
}

const exchangeNames = (one: FolderEntry, other: FolderEntry): boolean =>
  libc()?.renameExchange(one.folder, one.name, other.folder, other.name) ?? false
