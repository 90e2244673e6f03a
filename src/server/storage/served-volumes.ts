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
  /** The root's, those mounted below it, and those that were come across (btrfs subvolumes are no mounts). */
  const met = new Set<FilePath>([ROOT])
  const rootMark = volumeMark(root.fd)

  function executorOf(volume: FilePath): Executor {
    return executors.of(volume)
  }

  function topOf(volume: FilePath): Address {
    return { fd: root.fd, below: segmentsOf(volume), name: '.', stay: false }
  }

  return {
    /** The one that holds `where`, or would when its missing part was made. A rename or link does not reach from one into another. */
    async of(where: Where): Promise<FilePath> {
      const folder = addressing.folderOf(where)
      const executor = addressing.executorOf(where)
      // What has threads is never the root's alone, and the number may be closed before they look.
      if (folder !== null && !executor.isThreaded() && (await executor.run('volumeMark', folder.fd)) === rootMark) return ROOT
      const path = parentOf(pathOf(where))
      const segments = segmentsOf(path)
      const count = await executors.of(path).run('segmentsToVolume', root.fd, segments)
      const volume = segments.slice(0, count).reduce(joinPath, ROOT)
      met.add(volume)
      return volume
    },

    /** Those whose disks answer, those first that the caller may touch: what lies on a disk that hangs is as good as gone. */
    all(): FilePath[] {
      const all = [...new Set([...met, ...executors.mountPaths()])].filter((volume) => !executorOf(volume).isHanging())
      return all.toSorted((a, b) => Number(executorOf(a).isThreaded()) - Number(executorOf(b).isThreaded()))
    },

    /** Remembers one that somebody else came across. */
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
