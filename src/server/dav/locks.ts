import { randomUUID } from 'node:crypto'
import { fail, nullOn } from '../../shared/errors.ts'
import { type FilePath, placeUnder, ROOT } from '../../shared/file-path.ts'
import { inStorage } from '../access/access.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Drive } from '../drive/drive.ts'
import type { LockGuard } from './lock-guard.ts'
import type { Lock, LockStore } from './lock-store.ts'

/** Locks that one person may hold at a time. */
export const MAX_LOCKS = 500

export interface LockRequest {
  readonly deep: boolean
  readonly exclusive: boolean
  /** XML. */
  readonly owner: string
  readonly seconds: number
}

export type Locks = ReturnType<typeof createLocks>

/** Making, refreshing and removing locks for one person, in their paths. */
export function createLocks({ store, guard, clock }: { store: LockStore; guard: LockGuard; clock: () => Date }) {
  const placeOf = (drive: Drive, path: FilePath): Promise<FilePath> => guard.lockPlaceOf(inStorage(drive.access, path))

  return {
    placeOf,
    /** Which apply to a node, or would apply to a new one. */
    covering: async (drive: Drive, path: FilePath): Promise<Lock[]> => store.covering(await placeOf(drive, path)),
    /** Those, and the locks of everything below it: what keeps it from being removed. */
    async about(drive: Drive, path: FilePath): Promise<Lock[]> {
      const place = await placeOf(drive, path)
      const [above, below] = [await store.covering(place), await store.within(place)]
      return [...above.filter(({ id }) => !below.some((lock) => lock.id === id)), ...below]
    },
    isEmpty: (): Promise<boolean> => store.isEmpty(),
    inFolder: (place: FilePath): Promise<Lock[]> => store.inFolder(place),

    /**
     * Fails with `forbidden` if this viewer may not change the node; a folder with everything in it can be locked only by those who may see and change all
     * of it, and the first folder by nobody.
     */
    async expect(drive: Drive, path: FilePath, { deep }: Pick<LockRequest, 'deep'>): Promise<void> {
      await drive.renew()
      const entry = await nullOn('not-found', drive.stat(path))
      const isFolder = entry?.stat.kind === 'folder'
      const may = entry === null ? null : await drive.rights(path)
      if (path === ROOT) fail('forbidden', { right: 'modify' })
      if (entry === null ? !drive.may('create', path) : may?.modify !== true)
        fail('forbidden', { right: entry === null ? 'create' : 'modify' })
      // Behind a link there are other paths, of which this says nothing.
      const isLinked = (await placeOf(drive, path)) !== placeUnder(await placeOf(drive, ROOT), path)
      const seesAll = !isLinked && drive.access.rules.neverDenies && drive.sameRightsBelow(path)
      if (isFolder && deep && !seesAll) fail('forbidden', { right: 'modify' })
    },

    /** @returns the lock, or the locks in its way. Fails with `too-many-requests` if the viewer holds too many. */
    async acquire(drive: Drive, path: FilePath, { viewer, ...asked }: LockRequest & { viewer: Viewer }): Promise<Lock | Lock[]> {
      const now = clock().getTime()
      const { deep, exclusive, owner, seconds } = asked
      const lock: Lock = {
        id: randomUUID(),
        place: await placeOf(drive, path),
        deep,
        exclusive,
        userId: viewer.userId,
        owner,
        createdAt: now,
        seconds,
        expiresAt: now + seconds * 1000,
      }
      if (!lock.place.isWellFormed()) fail('invalid-input', { issues: ['path: not UTF-8'] })
      const conflicts = await store.add(lock, { most: MAX_LOCKS })
      if (conflicts === null) return fail('too-many-requests', { retryAfterSeconds: 60 })
      return conflicts.length === 0 ? lock : conflicts
    },

    async refresh(lock: Lock, seconds: number): Promise<Lock> {
      const refreshed = { ...lock, seconds, expiresAt: clock().getTime() + seconds * 1000 }
      await store.refresh(lock.id, refreshed)
      return refreshed
    },

    remove: (id: string): Promise<boolean> => store.remove(id),
  }
}
