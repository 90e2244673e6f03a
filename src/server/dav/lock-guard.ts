import { fail, nullOn } from '../../shared/errors.ts'
import { type FilePath, parentOf, ROOT } from '../../shared/file-path.ts'
import { inStorage } from '../access/access.ts'
import type { Drive } from '../drive/drive.ts'
import { exists } from '../drive/exists.ts'
import type { Observer } from '../drive/observed-drive.ts'
import type { Operation } from '../drive/operation.ts'
import type { Users } from '../users/users.ts'
import type { Lock, LockStore } from './lock-store.ts'

export interface LockGuardDeps {
  readonly store: LockStore
  readonly users: Pick<Users, 'find'>
  readonly systemDrive: Drive
  /** A storage path by the names that the disk lists, with links on the way resolved, as far as it exists. */
  readonly listedPath: (path: FilePath) => Promise<FilePath>
}

/** A node that an operation changes. */
interface Touched {
  readonly path: FilePath
  /** With everything below it. */
  readonly whole: boolean
  /** Whether its folder gains or loses it: always, if nothing is there yet, or not. */
  readonly member: 'always' | 'if-new' | 'no'
}

/** What an operation is about to change; `path` is the viewer's. */
export type LockedOperation = Pick<Operation, 'user' | 'access'> & { readonly path: FilePath }

export type LockGuard = ReturnType<typeof createLockGuard>

/**
 * Keeps everybody from changing what somebody else has locked, whichever way they come: an observer of every Drive. Only who submits the token of the lock
 * with a request may (`Actor.lockTokens`), and only if it is their own lock.
 */
export function createLockGuard({ store, users, systemDrive, listedPath }: LockGuardDeps) {
  /** Where what goes away was, by the operation that has begun. */
  const leaving = new WeakMap<Operation, FilePath>()

  /** Where locks look for a node: its storage path with links resolved, also of one that does not exist yet. */
  async function lockPlaceOf(storagePath: FilePath): Promise<FilePath> {
    return listedPath((await nullOn('not-found', systemDrive.place(storagePath, 'follow'))) ?? storagePath)
  }

  async function refuse({ userId, expiresAt }: Lock, { user }: Pick<Operation, 'user'>, path: FilePath): Promise<never> {
    // Visitors of a link act in the name of its owner; accounts are none of their business.
    const holder = user?.via === 'link' ? '' : ((await users.find(userId))?.username ?? '')
    return fail('locked', { path, by: holder === '' ? 'somebody' : 'user', holder, until: expiresAt })
  }

  /** One of the locks of one resource is enough: several of them are shared. */
  async function require(locks: readonly Lock[], operation: Pick<Operation, 'user'>, path: FilePath): Promise<void> {
    const [first] = locks
    const { user } = operation
    const holds = (lock: Lock): boolean => lock.userId === user?.id && user.lockTokens?.has(lock.id) === true
    if (first !== undefined && !locks.some(holds)) await refuse(locks.find((lock) => lock.exclusive) ?? first, operation, path)
  }

  async function check({ path, whole, member }: Touched, operation: Pick<Operation, 'user' | 'access'>): Promise<void> {
    const asked = inStorage(operation.access, path)
    const kept = await listedPath(asked)
    const place = whole ? kept : await lockPlaceOf(asked)
    await require(await store.covering(place), operation, path)
    if (whole)
      for (const locks of Map.groupBy(await store.within(place), (lock) => lock.place).values()) await require(locks, operation, path)
    const changesFolder = member === 'always' || (member === 'if-new' && !(await exists(systemDrive, kept)))
    if (!changesFolder || kept === ROOT) return
    // Missing parents appear in the nearest folder that exists.
    let folder = parentOf(kept)
    while (folder !== ROOT && !(await exists(systemDrive, folder))) folder = parentOf(folder)
    await require(await store.covering(folder), operation, path)
  }

  async function checkAll(operation: Operation): Promise<void> {
    if (await store.isEmpty()) return
    for (const touched of touchedBy(operation)) await check(touched, operation)
    const gone = operation.kind === 'delete' ? operation.path : operation.kind === 'rename' ? operation.from : null
    if (gone !== null) leaving.set(operation, await listedPath(inStorage(operation.access, gone)))
  }

  const observer: Observer = {
    expect: checkAll,
    before: checkAll,

    /** A lock is about an address, and ends when its node has left that (RFC 4918, sections 9.6 and 9.9). */
    async after(_, started) {
      const place = leaving.get(started)
      if (place !== undefined) await store.removeWithin(place)
    },
  }

  return {
    observer,
    lockPlaceOf,
    /** Fails with `locked` if a node may not leave its folder now, with everything in it. */
    async expectWhole(operation: LockedOperation): Promise<void> {
      if (!(await store.isEmpty())) await check({ path: operation.path, whole: true, member: 'always' }, operation)
    },

    /** Fails with `locked` if a file or folder at `path` may not be written now. @param operation.isNew whether nothing is there yet */
    async expect(operation: LockedOperation & { readonly isNew?: boolean }): Promise<void> {
      if (await store.isEmpty()) return
      await check({ path: operation.path, whole: false, member: operation.isNew === true ? 'always' : 'no' }, operation)
    },
  }
}

function touchedBy(operation: Operation): Touched[] {
  switch (operation.kind) {
    case 'save':
      return [{ path: operation.path, whole: false, member: 'no' }]
    case 'upload':
    case 'restore':
      return [{ path: operation.path, whole: false, member: 'if-new' }]
    case 'copy':
      return [{ path: operation.to, whole: true, member: 'if-new' }]
    case 'delete':
      return [{ path: operation.path, whole: true, member: 'always' }]
    case 'rename':
      return [
        { path: operation.from, whole: true, member: 'always' },
        { path: operation.to, whole: true, member: 'if-new' },
      ]
  }
}
