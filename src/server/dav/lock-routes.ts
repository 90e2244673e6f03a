import { type FileLock, locks as calls } from '../../shared/contract/locks.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, pathFrom, ROOT } from '../../shared/file-path.ts'
import { inStorage } from '../access/access.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Drive } from '../drive/drive.ts'
import type { DriveFor } from '../drive/drive-for.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { Users } from '../users/users.ts'
import type { Lock } from './lock-store.ts'
import type { Locks } from './locks.ts'

export interface LockRouteDeps {
  readonly driveFor: DriveFor
  readonly locks: Locks
  readonly users: Pick<Users, 'find'>
}

/** Who has locked a file, and removing a lock that a program left behind. */
export function mountLocks(app: Router, { driveFor, locks, users }: LockRouteDeps): void {
  async function found(viewer: Viewer, path: FilePath): Promise<{ lock: Lock; path: FilePath }[]> {
    const drive = driveFor(viewer.access)
    await drive.stat(path)
    const all = await locks.about(drive, path)
    return all.flatMap((lock) => {
      const seen = pathOf(drive, lock)
      return seen === null ? [] : [{ lock, path: seen }]
    })
  }

  mount(app, calls.list, async ({ params, viewer }) => {
    const known = await found(viewer, params.path)
    return Promise.all(known.map(async ({ lock, path }) => toWire(lock, { path, viewer, holder: await users.find(lock.userId) })))
  })

  mount(app, calls.remove, async ({ params, viewer }) => {
    const known = await found(viewer, params.path)
    if (!viewer.access.may.admin && known.some(({ lock }) => lock.userId !== viewer.userId)) fail('forbidden', { right: 'admin' })
    for (const { lock } of known) await locks.remove(lock.id)
    return undefined
  })
}

/** Of what is locked, as this viewer sees it; the first folder stands for what is above it. Null for what is hidden. */
function pathOf(drive: Drive, { place }: Lock): FilePath | null {
  const path = pathFrom(inStorage(drive.access, ROOT), place) ?? ROOT
  return drive.canSee(path) ? path : null
}

function toWire(lock: Lock, { path, viewer, holder }: { path: FilePath; viewer: Viewer; holder: { username: string } | null }): FileLock {
  return {
    path,
    holder: holder?.username ?? '',
    mine: lock.userId === viewer.userId,
    shared: !lock.exclusive,
    deep: lock.deep,
    since: new Date(lock.createdAt).toISOString(),
    until: new Date(lock.expiresAt).toISOString(),
  }
}
