import { type FilePath, joinPath, parentOf, ROOT, segmentsOf } from '../../shared/file-path.ts'
import type { Address } from './address.ts'
import type { Addressing } from './addressing.ts'
import type { Executor } from './executor.ts'
import type { Executors } from './executors.ts'
import type { KeepingPlace } from './place-keeping.ts'
import { type Kept, pathOf, type Where } from './storage.ts'
import { volumeMark } from './volumes.ts'

/** The file systems of a local storage, by their uppermost folders. */
export type ServedVolumes = ReturnType<typeof createServedVolumes>

export function createServedVolumes(root: { readonly fd: number }, executors: Executors, addressing: Addressing) {
  /** The volume of the root, and others found so far that the mount table may not list (btrfs subvolumes). */
  const met = new Set<FilePath>([ROOT])
  const rootMark = volumeMark(root.fd)

  function executorOf(volume: FilePath): Executor {
    return executors.of(volume)
  }

  function topOf(volume: FilePath): Address {
    return { fd: root.fd, below: segmentsOf(volume), name: '.', stay: false }
  }

  return {
    /** The volume that holds `where`, or would hold it once it exists. Renames and links work only within one. */
    async of(where: Where): Promise<FilePath> {
      const folder = addressing.folderOf(where)
      const executor = addressing.executorOf(where)
      // Not with threads: the descriptor may be closed before a thread uses it.
      if (folder !== null && !executor.isThreaded() && (await executor.run('volumeMark', folder.fd)) === rootMark) return ROOT
      const path = parentOf(pathOf(where))
      const segments = segmentsOf(path)
      const count = await executors.of(path).run('segmentsToVolume', root.fd, segments)
      const volume = segments.slice(0, count).reduce(joinPath, ROOT)
      met.add(volume)
      return volume
    },

    /** The volumes whose disks do not hang, those without threads first. */
    all(): FilePath[] {
      const all = [...new Set([...met, ...executors.mountPaths()])].filter((volume) => !executorOf(volume).isHanging())
      return all.toSorted((a, b) => Number(executorOf(a).isThreaded()) - Number(executorOf(b).isThreaded()))
    },

    /** Adds a volume that a caller found. */
    add: (volume: FilePath): void => void met.add(volume),

    topOf,

    /** Where a file that is replaced at `path` is kept; undefined if it is not, also because that is another disk. */
    keepingPlace(keep: Kept | undefined, path: FilePath): KeepingPlace | undefined {
      if (keep === undefined || executors.areApart(keep.volume, path)) return undefined
      return { volume: topOf(keep.volume), area: keep.area, id: keep.id }
    },

    executorOf,
  }
}
