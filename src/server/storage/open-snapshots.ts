import { close, constants, open as openFile } from 'node:fs'
import { join } from 'node:path'
import { fail } from '../../shared/errors.ts'
import { createLocalStorage } from './local.ts'
import { O_PATH } from './proc-paths.ts'
import type { Storage } from './storage.ts'
import { openSnapshot } from './snapshot-look.ts'
import type { SnapshotPattern } from './snapshot-pattern.ts'

/** More at a time are refused. */
const MOST_OPEN = 64
const RETRY_SECONDS = 10
/** One that is not used stays open for this long. Its file system cannot be unmounted until then, as ZFS does before it destroys a snapshot. */
const IDLE_MS = 20_000

interface Opened {
  readonly storage: Storage
  readonly identity: string
  readonly close: () => void
  users: number
  closing: Timer | undefined
}

/** Storages of snapshots: opened when they are used, closed when they are idle. */
export function openSnapshots(pattern: SnapshotPattern, { most = MOST_OPEN, idleMs = IDLE_MS } = {}) {
  const all = new Set<Opened>()
  const byName = new Map<string, Opened>()
  let isStopped = false

  function end(one: Opened): void {
    clearTimeout(one.closing)
    for (const [name, known] of byName) if (known === one) byName.delete(name)
    if (all.delete(one)) one.close()
  }

  function add(name: string, { folder, identity }: NonNullable<ReturnType<typeof openSnapshot>>): Opened {
    if (all.size >= most) {
      const idle = [...all].find(({ users }) => users === 0)
      if (idle === undefined) {
        folder[Symbol.dispose]()
        return fail('too-many-requests', { retryAfterSeconds: RETRY_SECONDS })
      }
      end(idle)
    }
    const one: Opened = {
      storage: createLocalStorage(folder),
      identity,
      close: () => folder[Symbol.dispose](),
      users: 0,
      closing: undefined,
    }
    all.add(one)
    byName.set(name, one)
    return one
  }

  return {
    /**
     * The storage of a snapshot, until `release` is called. Fails with `not-found` if there is none of this name any more, and with
     * `too-many-requests` if too many are in use.
     */
    async acquire(name: string): Promise<{ storage: Storage; release: () => void }> {
      await mounted(join(pattern.folder, name, ...pattern.below))
      // A name may mean another folder by now.
      const now = openSnapshot(pattern, name) ?? fail('not-found', {})
      if (isStopped) now.folder[Symbol.dispose]()
      if (isStopped) return fail('not-found', {})
      const known = byName.get(name)
      const isSame = known?.identity === now.identity
      if (isSame) now.folder[Symbol.dispose]()
      if (known !== undefined && !isSame && known.users === 0) end(known)
      const one = isSame ? known : add(name, now)
      one.users += 1
      clearTimeout(one.closing)
      let isReleased = false
      return {
        storage: one.storage,
        release() {
          if (isReleased) return
          isReleased = true
          one.users -= 1
          if (one.users > 0) return
          if (isStopped || byName.get(name) !== one) return end(one)
          one.closing = setTimeout(() => end(one), idleMs)
          one.closing.unref()
        },
      }
    },
    /** How many are open. */
    count: () => all.size,
    /** Those in use are closed when they are released. */
    [Symbol.dispose]() {
      isStopped = true
      for (const one of all) if (one.users === 0) end(one)
    },
  }
}

/** Opening a snapshot of ZFS mounts it, which takes a while, so that does not happen in this thread. A failure is found when it is opened in earnest. */
async function mounted(path: string): Promise<void> {
  await new Promise<void>((resolve) => {
    openFile(path, O_PATH | constants.O_DIRECTORY, (error, fd) => (error === null ? close(fd, () => resolve()) : resolve()))
  })
}
