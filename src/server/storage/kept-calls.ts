import { renameSync } from 'node:fs'
import { codeOf } from '../../shared/errors.ts'
import { type Address, openParent } from './address.ts'
import { becomeSave } from './become-save.ts'
import { type DiskIo, syncFolder } from './disk-io.ts'
import { removeBatch, type Dropped } from './remove-batch.ts'
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
  canKeepNodes,
} from './kept-folders.ts'
import { statAt, statOpen } from './nodes.ts'
import { openRegular } from './open-file.ts'
import { openFolder } from './open-folder.ts'
import { setMode, setModified } from './ownership.ts'
import { type KeepingPlace, replaceAndKeep } from './place-keeping.ts'
import { type Outcome, renameExclusive, renameOver } from './placing.ts'
import type { KeptArea, KeptStat, Stat } from './storage.ts'
import type { SharedSync } from './sync-sharing.ts'
import { findPrivate, volumeMark } from './volumes.ts'
import { entryPath, type Folder, folderHandle } from './proc-paths.ts'

/** An empty slot younger than this may belong to a running call that is about to fill it. */
const HALF_DONE_MS = 3_600_000

interface Restoring {
  readonly replace: boolean
  readonly keep?: KeepingPlace | undefined
  readonly asSave?: boolean | undefined
}

/** The calls of `DiskCalls` for kept nodes. A volume is addressed by `.` in its uppermost folder. */
export function createKeptCalls(io: DiskIo, shareSync: SharedSync) {
  const sync = (folder: Folder): Promise<void> => shareSync(statOpen(folder.fd).identity, () => syncFolder(folder, io))

  return {
    /** Whether a volume can keep the node of a name. */
    mayKeep(volume: Address, at: Address): boolean {
      using parent = openParent(at)
      using top = openVolume(volume)
      const stat = statAt(parent, at.name)
      if (stat === null || volumeMark(parent.fd) !== volumeMark(top.fd)) return false
      return (stat.kind !== 'folder' || isMovable(parent, at.name)) && canKeepNodes(top, 'trash')
    },

    /** Implements `Storage.keep`. */
    async keep(volume: Address, from: Address, { area, id }: KeptPlace): Promise<Stat | null> {
      using source = openParent(from)
      if (statAt(source, from.name) === null) throw Object.assign(new Error('nothing to keep'), { code: 'ENOENT' })
      using top = openVolume(volume)
      if (volumeMark(source.fd) !== volumeMark(top.fd)) return null
      using slots = await openArea(top, area, io)
      using slot = makeSlot(slots, id)
      try {
        await sync(slots)
        renameSync(entryPath(source, from.name), entryPath(slot, from.name))
      } catch (error) {
        removeSlot(slots, id)
        // Also within one file system: another project quota, another encryption key, or a folder of a lower overlay layer.
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

    /** Implements `Storage.resetKept`. */
    async resetKept(volume: Address, { area, id }: KeptPlace, { mode, modified }: { mode: number; modified: number }): Promise<void> {
      using top = openVolume(volume)
      using slots = findPrivate(top, area)
      using slot = findSlot(slots, id)
      const name = slot && nameIn(slot)
      if (slot === null || name === null || statAt(slot, name)?.kind !== 'file') return
      using file = folderHandle(openRegular(slot, name).fd)
      setMode(file.fd, mode)
      setModified(file.fd, modified)
      await io.sync(file.fd)
    },

    /** Implements `Storage.restoreKept`; null if nothing is kept. */
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
        ? renameExclusive(from, target)
        : keep === undefined
          ? renameOver(from, target)
          : replaceAndKeep(from, target, { keep, io, sync: async () => undefined, isSeen: true }))
      if (outcome !== 'placed') return outcome
      await sync(parent)
      await syncFolder(slot, io)
      removeSlot(slots, id)
      return outcome
    },

    /** Hides a kept node before it is removed, durable when this returns. Succeeds if it is hidden already. */
    async hideKept(volume: Address, { area, id }: KeptPlace): Promise<void> {
      using top = openVolume(volume)
      using slots = findPrivate(top, area)
      if (slots === null || statAt(slots, id) === null) return
      renameSync(entryPath(slots, id), entryPath(slots, droppedName(id)))
      await sync(slots)
    },

    /** Removes a part of a hidden node. */
    removeBatch(volume: Address, { area, id }: KeptPlace): Dropped {
      using top = openVolume(volume)
      using slots = findPrivate(top, area)
      return slots === null ? { removed: 0, isDone: true, failure: null } : removeBatch(slots, droppedName(id))
    },

    /** The ids of all kept nodes, and of the remains of unfinished calls. */
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

/** False for an empty folder without write permission: it cannot get another parent, and removing it loses nothing. */
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
