import { constants, lstatSync, openSync, readdirSync, unlinkSync } from 'node:fs'
import { type Address, openParent } from './address.ts'
import { adoptStaged } from './adopt.ts'
import { type DiskIo, syncFolder } from './disk-io.ts'
import { statAt, statOpen } from './nodes.ts'
import { giveTo, setModified, setMode, type Ownership, ownershipIn } from './ownership.ts'
import { type Outcome, renameExclusive, renameOver } from './placing.ts'
import { type KeepingPlace, replaceAndKeep } from './place-keeping.ts'
import type { Adopted, Stat } from './storage.ts'
import { segmentsInSubvolume, subvolumesBelow } from './subvolumes.ts'
import type { SharedSync } from './sync-sharing.ts'
import { incomingName, stagedIdIn } from './private-name.ts'
import { findPrivate, openPrivate, segmentsToVolume, volumeMark } from './volumes.ts'
import { entryPath, type Folder, folderHandle, descriptorPath } from './proc-paths.ts'
import { codeOf } from '../../shared/errors.ts'

const STAGED_MODE = 0o600

export interface Publication {
  readonly id: string
  /** Mode of the new file if it replaces none. */
  readonly fileMode: number
  readonly replace: boolean
  /** Whether bytes were staged. If there are none now, another writer has taken them over (decision 028), and no empty file must be published. */
  readonly hasBytes: boolean
  readonly modified?: number | undefined
  readonly mode?: number | undefined
  /** The place for a replaced file. */
  readonly keep?: KeepingPlace | undefined
}

/** The calls of `DiskCalls` for staged files. A volume is addressed by `.` in its uppermost folder. */
export function createStagingCalls(io: DiskIo, shareSync: SharedSync) {
  return {
    /** The number of segments to the uppermost folder of the file system that holds the last one. */
    segmentsToVolume: (fd: number, segments: readonly string[]): number => segmentsToVolume({ fd }, segments),

    volumeMark: (fd: number): string => volumeMark(fd),

    subvolumesBelow: (fd: number, segments: readonly string[]): string[][] => subvolumesBelow({ fd }, segments),

    segmentsInSubvolume: (fd: number): readonly string[] => segmentsInSubvolume({ fd }),

    stagedIds(volume: Address): string[] {
      using staging = findIn(volume)
      return staging === null ? [] : [...new Set(readdirSync(descriptorPath(staging.fd)).map(stagedIdIn))]
    },

    lookAtStaged(volume: Address, id: string): { stat: Stat; changed: number } | null {
      using staging = findIn(volume)
      const stat = staging && statAt(staging, id)
      const changed = staging && lstatSync(entryPath(staging, id), { throwIfNoEntry: false })?.ctimeMs
      return stat === null || changed === null || changed === undefined ? null : { stat, changed }
    },

    /** Opens the staged file, or creates an empty one. The caller closes it. */
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

    /** Publishes staged bytes, durable when this returns; they stay staged unless the outcome is `placed`. */
    async publish(volume: Address, to: Address, publication: Publication): Promise<{ outcome: Outcome; stat: Stat | null }> {
      const { id, replace, modified } = publication
      using parent = openParent(to)
      using staging = openIn(volume)
      using file = folderHandle(openStaged(staging, id, constants.O_RDWR, publication))
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
          ? replaceAndKeep(from, target, { keep: publication.keep, io, sync: () => io.sync(file.fd) })
          : io.sync(file.fd).then(() => (replace ? renameOver : renameExclusive)(from, target)))
        if (outcome !== 'placed') return { outcome, stat: null }
      } else {
        // It is published already: the server was killed between the two steps of a link (`placing.ts`).
        drop(staging, incomingName(id))
        drop(staging, id)
      }
      await shareSync(statOpen(parent.fd).identity, () => syncFolder(parent, io))
      return { outcome: 'placed', stat: statOpen(file.fd) }
    },

    /** Implements `StagedFile.adopt`. @param volumes all volumes, first the one where the bytes belong */
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
  return openSync(
    entryPath(staging, id),
    flags | (hasBytes ? 0 : constants.O_CREAT) | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    STAGED_MODE,
  )
}

function drop(staging: Folder, id: string): void {
  try {
    unlinkSync(entryPath(staging, id))
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/** Owner and mode of the replaced file, which its new version gets. */
function oldFile(parent: Folder, name: string): (Required<Ownership> & { mode: number }) | null {
  const old = lstatSync(entryPath(parent, name), { throwIfNoEntry: false })
  return old?.isFile() ? old : null
}
