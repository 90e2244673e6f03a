import { type FilePath, isWithin, joinPath, parentOf, placeUnder, ROOT, segmentsOf } from '../../shared/file-path.ts'
import type { Address } from './address.ts'
import type { Addressing } from './addressing.ts'
import type { Executor } from './executor.ts'
import type { Executors } from './executors.ts'
import { shownTwice } from './mounts.ts'
import type { KeepingPlace } from './place-keeping.ts'
import { type Kept, pathOf, type PrivatePlace, type Storage, type Where } from './storage.ts'
import { volumeMark } from './volumes.ts'

/** The file systems of a local storage, by their uppermost folders. */
export type ServedVolumes = ReturnType<typeof createServedVolumes>

export function createServedVolumes(root: { readonly fd: number }, executors: Executors, addressing: Addressing) {
  /** The volume of the root, and others found so far that the mount table may not list (btrfs subvolumes). */
  const met = new Set<FilePath>([ROOT])
  const rootMark = volumeMark(root.fd)
  const users: Parameters<Storage['onPrivateUse']>[0][] = []

  function executorOf(volume: FilePath): Executor {
    return executors.of(volume)
  }

  function topOf(volume: FilePath): Address {
    return { fd: root.fd, below: segmentsOf(volume), name: '.', stay: false }
  }

  /**
   * Call it before a call that may make the private folder of a volume: who asks for the places later gets this one, and who asked before is told.
   */
  async function use(volume: FilePath): Promise<void> {
    met.add(volume)
    for (const before of users) await before(volume)
  }

  /** The subvolumes at and below a folder. */
  async function subvolumesFrom(folder: FilePath): Promise<FilePath[]> {
    const segments = segmentsOf(folder)
    const { run } = executorOf(folder)
    const found = (await run('subvolumesBelow', root.fd, segments)).map((below) => below.reduce(joinPath, ROOT))
    return (await run('segmentsToVolume', root.fd, segments)) === segments.length ? [folder, ...found] : found
  }

  let inSnapshot: FilePath | undefined
  /** Where the private folder of the root is in snapshots of its subvolume; ROOT if it is where every subvolume has its own. */
  async function placeInSnapshots(): Promise<FilePath> {
    inSnapshot ??= (await executorOf(ROOT).run('segmentsInSubvolume', root.fd)).reduce(joinPath, ROOT)
    return inSnapshot
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

    /** Implements `Storage.learnVolumes`. A volume that is not there now is left out: a mount is found when it is back. */
    async learn(volumes: readonly FilePath[]): Promise<void> {
      for (const volume of volumes) {
        const segments = segmentsOf(volume)
        const count = await executorOf(volume)
          .run('segmentsToVolume', root.fd, segments)
          .catch(() => -1)
        if (count === segments.length) met.add(volume)
      }
    },

    onPrivateUse: (before: (typeof users)[number]): void => void users.push(before),

    /** Implements `Storage.privatePlaces`. */
    async privatePlaces(folder: FilePath): Promise<PrivatePlace[]> {
      executors.expire()
      const mounts = executors.mounts()
      const mountOf = (path: FilePath) => mounts.find((mount) => isWithin(path, mount.path))
      const inside = mounts.map(({ path }) => path).filter((path) => isWithin(path, folder))
      const starts = [...new Set([folder, ...inside])].filter((path) => mountOf(path)?.isLocal === true)
      const subvolumes = (await Promise.all(starts.map(subvolumesFrom))).flat()
      const there = new Set([...inside, ...subvolumes])
      const tops = new Set([...there, ...met])
      const again = subvolumes.length === 0 ? ROOT : await placeInSnapshots()
      const snapshots = again === ROOT ? [] : subvolumes.map((path) => placeUnder(path, again))
      const others = [...shownTwice(mounts), ...snapshots].filter((path) => !tops.has(path))
      const place = (path: FilePath, isVolume: boolean): PrivatePlace => ({
        path,
        isVolume,
        isUsed: met.has(path) && there.has(path),
        isLocal: mountOf(path)?.isLocal ?? false,
      })
      const all = [...[...tops].map((path) => place(path, true)), ...others.map((path) => place(path, false))]
      return all.filter(({ path }) => isWithin(path, folder))
    },

    use,

    topOf,

    /** Where a file that is replaced at `path` is kept; undefined if it is not, also because that is another disk. */
    async keepingPlace(keep: Kept | undefined, path: FilePath): Promise<KeepingPlace | undefined> {
      if (keep === undefined || executors.areApart(keep.volume, path)) return undefined
      await use(keep.volume)
      return { volume: topOf(keep.volume), area: keep.area, id: keep.id }
    },

    executorOf,
  }
}
