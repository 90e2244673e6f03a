import { renameSync } from 'node:fs'
import { codeOf } from '../../shared/errors.ts'
import { type Address, openParent } from './address.ts'
import { becomeSave } from './become-save.ts'
import { type DiskIo, syncFolder } from './disk-io.ts'
import { dropSome, type Dropped } from './drop-some.ts'
import { readNames } from './folder-names.ts'
import {
  droppedName,
  findSlot,
  idIn,
  type KeptPlace,
  makeSlot,
  mayWrite,
  nameIn,
  openArea,
  openVolume,
  removeSlot,
  takesKept,
} from './kept-folders.ts'
import { statAt, statOpen } from './nodes.ts'
import { openFolder } from './open-folder.ts'
import { type KeepingPlace, placeKeeping } from './place-keeping.ts'
import { type Outcome, placeNew, placeOver } from './placing.ts'
import type { KeptArea, KeptStat, Stat } from './storage.ts'
import type { SharedSync } from './sync-sharing.ts'
import { findPrivate, volumeMark } from './volumes.ts'
import { entry, type Folder } from './walk.ts'

/** An empty folder of an id may be a call's that is just about to fill it. */
const HALF_DONE_MS = 3_600_000

interface Restoring {
  readonly replace: boolean
  readonly keep?: KeepingPlace | undefined
  readonly asSave?: boolean | undefined
}

/** The part of the calls to a disk that is about kept nodes. A volume is addressed by `.` in its uppermost folder. */
export function createKeptCalls(io: DiskIo, shareSync: SharedSync) {
  const sync = (folder: Folder): Promise<void> => shareSync(statOpen(folder.fd).identity, () => syncFolder(folder, io))

  return {
    /** Whether what has a name can be kept on a volume. */
    mayKeep(volume: Address, at: Address): boolean {
      using parent = openParent(at)
      using top = openVolume(volume)
      const stat = statAt(parent, at.name)
      if (stat === null || volumeMark(parent.fd) !== volumeMark(top.fd)) return false
      return (stat.kind !== 'folder' || isMovable(parent, at.name)) && takesKept(top, 'trash')
    },

    /** As `Storage.keep`. */
    async keep(volume: Address, from: Address, { area, id }: KeptPlace): Promise<Stat | null> {
      using source = openParent(from)
      if (statAt(source, from.name) === null) throw Object.assign(new Error('nothing to keep'), { code: 'ENOENT' })
      using top = openVolume(volume)
      if (volumeMark(source.fd) !== volumeMark(top.fd)) return null
      using slots = await openArea(top, area, io)
      using slot = makeSlot(slots, id)
      try {
        await sync(slots)
        renameSync(entry(source, from.name), entry(slot, from.name))
      } catch (error) {
        removeSlot(slots, id)
        // Also within one file system: of another project's quota, with another key, a folder of a lower layer.
        if (codeOf(error) !== 'EXDEV') throw error
        return null
      }
      const kept = statAt(slot, from.name)
      await Promise.all([syncFolder(slot, io), sync(source)])
      return kept
    },

    lookAtKept(volume: Address, { area, id }: KeptPlace): KeptStat | null {
      using top = openVolume(volume)
      using slots = findPrivate(top, area)
      using slot = findSlot(slots, id)
      const name = slot && nameIn(slot)
      const stat = slot !== null && name !== null ? statAt(slot, name) : null
      return stat === null || name === null ? null : { ...stat, name }
    },

    /** As `Storage.restoreKept`; null where nothing is kept. */
    async restore(volume: Address, { area, id }: KeptPlace, to: Address, { replace, keep, asSave }: Restoring): Promise<Outcome | null> {
      using top = openVolume(volume)
      using slots = findPrivate(top, area)
      using slot = findSlot(slots, id)
      const name = slot && nameIn(slot)
      if (slots === null || slot === null || name === null) return null
      using parent = openParent(to)
      const [from, target] = [
        { folder: slot, name },
        { folder: parent, name: to.name },
      ]
      if (asSave === true) await becomeSave(from, target, io)
      const outcome = await (!replace
        ? placeNew(from, target)
        : keep === undefined
          ? placeOver(from, target)
          : placeKeeping(from, target, { keep, io, sync: async () => undefined, isSeen: true }))
      if (outcome !== 'placed') return outcome
      await sync(parent)
      await syncFolder(slot, io)
      removeSlot(slots, id)
      return outcome
    },

    /** Takes a kept node out of reach, durable when this returns. What was so already is fine. */
    async hideKept(volume: Address, { area, id }: KeptPlace): Promise<void> {
      using top = openVolume(volume)
      using slots = findPrivate(top, area)
      if (slots === null || statAt(slots, id) === null) return
      renameSync(entry(slots, id), entry(slots, droppedName(id)))
      await sync(slots)
    },

    /** Removes a part of what was hidden. */
    dropSome(volume: Address, { area, id }: KeptPlace): Dropped {
      using top = openVolume(volume)
      using slots = findPrivate(top, area)
      return slots === null ? { removed: 0, isDone: true, failure: null } : dropSome(slots, droppedName(id))
    },

    /** Ids of everything kept, and of what is left of unfinished calls. */
    keptIds(volume: Address, area: KeptArea): string[] {
      using top = openVolume(volume)
      using slots = findPrivate(top, area)
      if (slots === null) return []
      return [
        ...new Set(
          readNames(slots.fd)
            .filter((name) => isKept(slots, name))
            .map(idIn),
        ),
      ]
    },
  }
}

/** A folder that we must not write to gets no other parent. An empty one can be removed all the same, and is no loss. */
function isMovable(parent: Folder, name: string): boolean {
  using folder = openFolder(parent, [name])
  if (volumeMark(folder.fd) !== volumeMark(parent.fd)) return false
  return mayWrite(folder) || readNames(folder.fd).length > 0
}

function isKept(slots: Folder, name: string): boolean {
  const stat = statAt(slots, name)
  if (stat?.kind !== 'folder') return false
  if (idIn(name) !== name || Date.now() - stat.modified > HALF_DONE_MS) return true
  using slot = findSlot(slots, name)
  return slot !== null && nameIn(slot) !== null
}
