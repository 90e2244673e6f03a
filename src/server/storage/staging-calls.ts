import { constants, lstatSync, openSync, readdirSync, unlinkSync } from 'node:fs'
import { type Address, openParent } from './address.ts'
import { adoptStaged } from './adopt.ts'
import { type DiskIo, syncFolder } from './disk-io.ts'
import { statAt, statOpen } from './nodes.ts'
import { giveTo, setModified, setMode, type Ownership, ownershipIn } from './ownership.ts'
import { type Outcome, placeNew, placeOver } from './placing.ts'
import { type KeepingPlace, placeKeeping } from './place-keeping.ts'
import type { Adopted, Stat } from './storage.ts'
import type { SharedSync } from './sync-sharing.ts'
import { incomingName, stagedIdIn } from './private-name.ts'
import { findPrivate, openPrivate, segmentsToVolume, volumeMark } from './volumes.ts'
import { entry, type Folder, folder, self } from './walk.ts'
import { codeOf } from '../../shared/errors.ts'

const STAGED_MODE = 0o600

export interface Publication {
  readonly id: string
  /** Of the new file where there is no old one to take them from. */
  readonly fileMode: number
  readonly replace: boolean
  /** Something was staged: where nothing is now, another writer has taken it over (decision 028), and there is no empty file to publish. */
  readonly hasBytes: boolean
  readonly modified?: number | undefined
  readonly mode?: number | undefined
  /** Where a file that is replaced is kept. */
  readonly keep?: KeepingPlace | undefined
}

/** The part of the calls to a disk that is about staged files. A volume is addressed by `.` in its uppermost folder. */
export function createStagingCalls(io: DiskIo, shareSync: SharedSync) {
  return {
    /** How many of the segments lead to the uppermost folder of the file system that holds the last one. */
    segmentsToVolume: (fd: number, segments: readonly string[]): number => segmentsToVolume({ fd }, segments),

    volumeMark: (fd: number): string => volumeMark(fd),

    stagedIds(volume: Address): string[] {
      using staging = findIn(volume)
      return staging === null ? [] : [...new Set(readdirSync(self(staging.fd)).map(stagedIdIn))]
    },

    lookAtStaged(volume: Address, id: string): { stat: Stat; changed: number } | null {
      using staging = findIn(volume)
      const stat = staging && statAt(staging, id)
      const changed = staging && lstatSync(entry(staging, id), { throwIfNoEntry: false })?.ctimeMs
      return stat === null || changed === null || changed === undefined ? null : { stat, changed }
    },

    /** An empty file where there was none. The caller closes it. */
    openStaged(volume: Address, id: string, { flags }: { flags: number }): number {
      using staging = openIn(volume)
      return openStaged(staging, id, flags)
    },

    dropStaged(volume: Address, id: string): void {
      using staging = findIn(volume)
      if (staging === null) return
      drop(staging, incomingName(id))
      drop(staging, id)
    },

    /** Gives staged bytes their place, durable when this returns; the staged bytes survive anything but `placed`. */
    async publish(volume: Address, to: Address, publication: Publication): Promise<{ outcome: Outcome; stat: Stat | null }> {
      const { id, replace, modified } = publication
      using parent = openParent(to)
      using staging = openIn(volume)
      using file = folder(openStaged(staging, id, constants.O_RDWR, publication))
      const there = statAt(parent, to.name)
      const isThere = there?.identity === statOpen(file.fd).identity
      if (there !== null && !isThere && (!replace || there.kind === 'folder')) return { outcome: 'taken', stat: null }
      if (!isThere) {
        const old = there === null ? null : oldFile(parent, to.name)
        giveTo(file.fd, old ?? ownershipIn(parent))
        setMode(file.fd, publication.mode ?? old?.mode ?? publication.fileMode)
        if (modified !== undefined) setModified(file.fd, modified)
        const [from, target] = [
          { folder: staging, name: id },
          { folder: parent, name: to.name },
        ]
        const outcome = await (replace && publication.keep !== undefined
          ? placeKeeping(from, target, { keep: publication.keep, io, sync: () => io.sync(file.fd) })
          : io.sync(file.fd).then(() => (replace ? placeOver : placeNew)(from, target)))
        if (outcome !== 'placed') return { outcome, stat: null }
      } else {
        // It has its place already: we were killed between the two steps of giving it one (`placing.ts`, by a link).
        drop(staging, incomingName(id))
        drop(staging, id)
      }
      await shareSync(statOpen(parent.fd).identity, () => syncFolder(parent, io))
      return { outcome: 'placed', stat: statOpen(file.fd) }
    },

    /** As `StagedFile.adopt`. @param volumes all of them, the one where the bytes belong first */
    async adopt(volumes: readonly Address[], asked: { id: string; owner: string; size: number }): Promise<Adopted> {
      const [home, ...others] = volumes
      if (home === undefined) return 'nothing'
      using staging = openIn(home)
      using rest = foldersOf(others)
      return await adoptStaged([staging, ...rest.folders], staging, { ...asked, io })
    },
  }
}

function findIn(volume: Address): Folder | null {
  using top = openParent(volume)
  return findPrivate(top, 'staging')
}

function openIn(volume: Address): Folder {
  using top = openParent(volume)
  return openPrivate(top, 'staging')
}

function foldersOf(volumes: readonly Address[]): { folders: readonly Folder[] } & Disposable {
  const folders: Folder[] = []
  for (const volume of volumes) {
    const found = findIn(volume)
    if (found !== null) folders.push(found)
  }
  return {
    folders,
    [Symbol.dispose]() {
      for (const one of folders) one[Symbol.dispose]()
    },
  }
}

function openStaged(staging: Folder, id: string, flags: number, { hasBytes = false }: { hasBytes?: boolean } = {}): number {
  return openSync(entry(staging, id), flags | (hasBytes ? 0 : constants.O_CREAT) | constants.O_NOFOLLOW | constants.O_NONBLOCK, STAGED_MODE)
}

function drop(staging: Folder, id: string): void {
  try {
    unlinkSync(entry(staging, id))
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/** What a new version keeps of the file that it replaces. */
function oldFile(parent: Folder, name: string): (Required<Ownership> & { mode: number }) | null {
  const old = lstatSync(entry(parent, name), { throwIfNoEntry: false })
  return old?.isFile() ? old : null
}
