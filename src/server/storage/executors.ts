import { type FilePath, isWithin, nameOf, parentOf, ROOT, segmentsOf } from '../../shared/file-path.ts'
import { createDiskCalls, type DiskCalls } from './disk-calls.ts'
import { pooledIo } from './disk-io.ts'
import type { Answer, Executor } from './executor.ts'
import type { ListedMount } from './listing.ts'
import { type Mount, readMounts } from './mounts.ts'
import type { Stat } from './storage.ts'
import { createThreadExecutor } from './thread-executor.ts'
import { codeOf } from '../../shared/errors.ts'

/** One executor for each file system at and below the root (decision 059). */
export type Executors = ReturnType<typeof createExecutors>

/** How long the mount table is cached: changes to it are not reported. */
const TABLE_MS = 1000
/** How long a listing waits for the `stat` of a mount point in it. */
const LOOK_MS = 50
/** A call by the main thread is late after LATE_MS. After LATE_CALLS late calls within LATE_WITHIN_MS, threads do the calls for THREADED_MS. */
const LATE_MS = 100
const LATE_CALLS = 3
const LATE_WITHIN_MS = 10_000
const THREADED_MS = 60_000
const UNKNOWN_FOLDER = { size: 0, modified: 0, mode: 0o40755 }

/** @param look another in tests */
export function createExecutors(root: { readonly fd: number }, look: typeof readMounts = readMounts) {
  let table: readonly Mount[] = []
  let readAt = Number.NEGATIVE_INFINITY
  const disks = new Map<string, Executor>()
  const looks = new Map<string, Promise<void>>()
  const latest = new Map<string, Stat>()

  function mounts(): readonly Mount[] {
    if (performance.now() - readAt <= TABLE_MS) return table
    table = look(root)
    readAt = performance.now()
    const ids = new Set(table.map(({ id }) => id))
    for (const known of [disks, looks, latest]) for (const id of known.keys()) if (!ids.has(id)) known.delete(id)
    return table
  }

  const expire = (): void => void (readAt = Number.NEGATIVE_INFINITY)

  function executorOf({ id, isLocal }: Mount): Executor {
    const executor = disks.get(id) ?? (isLocal ? createLocalExecutor(expire) : createThreadExecutor())
    disks.set(id, executor)
    return executor
  }

  /** The deepest mount on the path, or the first one with threads, because a walk passes through it. */
  function mountOf(path: FilePath): Mount {
    const all = mounts()
    if (all.length > 1) {
      const onTheWay = all.filter((mount) => isWithin(path, mount.path))
      const found = onTheWay.find((mount) => executorOf(mount).isThreaded()) ?? onTheWay[0]
      if (found !== undefined) return found
    }
    return all.at(-1) ?? { id: '', path: ROOT, isLocal: false }
  }

  /** Runs one `stat` at a time for each mount; it may end after the listing that waited for it. */
  function lookAt({ id, path }: Mount): Promise<void> {
    const looking =
      looks.get(id) ??
      executorOf({ id, path, isLocal: false })
        .run('stat', { fd: root.fd, below: segmentsOf(parentOf(path)), name: nameOf(path), stay: false })
        .then((stat) => void (stat !== null && latest.set(id, stat)))
        .catch(() => undefined)
        .finally(() => looks.delete(id))
    looks.set(id, looking)
    return looking
  }

  async function whatIsKnownOf(points: readonly Mount[]): Promise<readonly ListedMount[]> {
    const fresh = points.filter(({ id }) => !looks.has(id)).map(lookAt)
    if (fresh.length > 0) await Promise.race([Promise.all(fresh), Bun.sleep(LOOK_MS)])
    return points.map(({ id, path }) => ({ ...UNKNOWN_FOLDER, ...latest.get(id), name: nameOf(path) }))
  }

  return {
    /** The executor for the disks of all these paths: one with threads, if any of them has. */
    of(path: FilePath, ...others: FilePath[]): Executor {
      const executor = executorOf(mountOf(path))
      if (others.length === 0 || executor.isThreaded()) return executor
      return others.map((other) => executorOf(mountOf(other))).find((other) => other.isThreaded()) ?? executor
    },
    /** Whether two paths are on different file systems of which one has threads: no rename is tried between those. */
    areApart(path: FilePath, other: FilePath): boolean {
      const both = [mountOf(path), mountOf(other)] as const
      return both[0].id !== both[1].id && both.some((mount) => executorOf(mount).isThreaded())
    },
    /** Whether the path stays on the root's own file system. */
    isOnRoot: (path: FilePath): boolean => mountOf(path).path === ROOT,
    /** The mount points in a folder that the caller must not access, with their last known values; null if there are none. */
    mountsIn(folder: FilePath): Promise<readonly ListedMount[]> | null {
      if (mounts().length === 1) return null
      const inIt = mounts().filter((mount) => mount.path !== ROOT && parentOf(mount.path) === folder && executorOf(mount).isThreaded())
      return inIt.length === 0 ? null : whatIsKnownOf(inIt)
    },
    mountPaths: (): FilePath[] => mounts().map(({ path }) => path),
    /** The mounts at and below the root, the deepest first. */
    mounts,
    /** Reads the mount table again at the next call, because mount points may have moved. */
    expire,
  }
}

/** Runs calls in the calling thread, which is fastest while the disk answers at once, and in threads for a while if it does not. */
function createLocalExecutor(onUnknownMount: () => void): Executor {
  const calls = createDiskCalls(pooledIo)
  let threads: Executor | null = null
  let threadedUntil = Number.NEGATIVE_INFINITY
  let late: number[] = []

  const threaded = (): Executor => (threads ??= createThreadExecutor())
  const isThreaded = (): boolean => performance.now() < threadedUntil

  function note(start: number): void {
    const now = performance.now()
    if (now - start < LATE_MS) return
    late = [...late.filter((at) => now - at < LATE_WITHIN_MS), now]
    if (late.length >= LATE_CALLS) threadedUntil = now + THREADED_MS
  }

  return {
    get io() {
      return isThreaded() ? threaded().io : pooledIo
    },
    isThreaded,
    isHanging: () => isThreaded() && threaded().isHanging(),
    runNow(work) {
      if (isThreaded()) return null
      const start = performance.now()
      const done = work()
      note(start)
      return done
    },
    async run<Call extends keyof DiskCalls>(call: Call, ...args: Parameters<DiskCalls[Call]>): Promise<Answer<Call>> {
      if (isThreaded()) return await threaded().run(call, ...args)
      const start = performance.now()
      try {
        // One signature for each name; the compiler does not follow the pairing of name and arguments.
        const done = (calls[call] as (...given: unknown[]) => Promise<Answer<Call>>)(...args)
        // Measures how long the thread was blocked.
        note(start)
        return await done
      } catch (error) {
        note(start)
        // There is an unknown mount on the path, which may be slow.
        if (codeOf(error) !== 'EXDEV') throw error
        onUnknownMount()
        return await threaded().run(call, ...args)
      }
    },
  }
}
