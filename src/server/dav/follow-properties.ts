import { isAppError } from '../../shared/errors.ts'
import { type FilePath, joinPath, parseFilePath, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import { inScope, inStorage } from '../access/access.ts'
import type { Drive } from '../drive/drive.ts'
import type { NewIdentity, Observer } from '../drive/observed-drive.ts'
import type { Operation } from '../drive/operation.ts'
import type { LockGuard } from './lock-guard.ts'
import { identityAt as identityOf } from './property-place.ts'
import type { PropertyStore } from './property-store.ts'

export interface FollowPropertiesDeps {
  readonly store: PropertyStore
  readonly systemDrive: Drive
  readonly listedPath: (path: FilePath) => Promise<FilePath>
  readonly lockPlaceOf: LockGuard['lockPlaceOf']
}

/** Properties follow their nodes to another path, to the trash and back, and are copied with them; a file that is replaced by Satchel keeps them. */
export function followProperties({ store, systemDrive, listedPath, lockPlaceOf }: FollowPropertiesDeps) {
  /** Where what goes away was, and the file that is being replaced, by the operation that has begun. */
  const leaving = new WeakMap<Operation, FilePath>()
  const replaced = new WeakMap<Operation, FilePath>()

  const identityAt = (place: FilePath): Promise<string | null> => identityOf(systemDrive, place)
  const isThere = async (place: FilePath): Promise<boolean> => (await identityAt(place)) !== null
  const move = (from: FilePath, to: FilePath): Promise<void> => store.moved(from, to, { identityAt })

  async function expectReplaced(operation: Operation & { path: FilePath }, newIdentity: NewIdentity): Promise<void> {
    const place = await lockPlaceOf(inStorage(operation.access, operation.path))
    const identity = await identityAt(place)
    if (identity !== null && (await store.expect({ place, identity }, await newIdentity()))) replaced.set(operation, place)
  }

  async function follow(operation: Operation, started: Operation): Promise<void> {
    const pathOf = (path: FilePath) => listedPath(inStorage(operation.access, path))
    const gone = async (path: FilePath): Promise<FilePath> => leaving.get(started) ?? pathOf(path)
    const written = replaced.get(started)
    if (written !== undefined) {
      const identity = await identityAt(written)
      if (identity !== null) await store.rebind(written, identity)
    }
    if (operation.kind === 'rename') return move(await gone(operation.from), await pathOf(operation.to))
    if (operation.kind === 'copy') {
      const { access, from, to, user } = operation
      const [source, target] = [await pathOf(from), await pathOf(to)]
      // What the person does not see was not copied, whatever else is there.
      const isSeen = (place: FilePath): boolean => access.rules.allows(placeUnder(inScope(access, from), pathFrom(source, place) ?? ROOT))
      return store.copied(source, target, { userId: user?.id ?? 0, isSeen, identityAt })
    }
    if (operation.kind === 'restore') return move(inTrash(operation.node.id), await pathOf(operation.path))
    if (operation.kind !== 'delete') return
    const path = await gone(operation.path)
    await (operation.trashed === null ? store.removed(path) : move(path, inTrash(operation.trashed)))
  }

  const observer: Observer = {
    async before(operation, newIdentity) {
      if (await store.isEmpty()) return
      if (operation.kind === 'save' || (operation.kind === 'upload' && !operation.folder)) return expectReplaced(operation, newIdentity)
      const gone = operation.kind === 'delete' ? operation.path : operation.kind === 'rename' ? operation.from : null
      if (gone !== null) leaving.set(operation, await listedPath(inStorage(operation.access, gone)))
    },

    async after(operation, started) {
      if (await store.isEmpty()) return
      try {
        await follow(operation, started)
      } catch (error) {
        // Its parent folder has gone meanwhile, which is told as well.
        if (!isAppError(error, 'not-found')) throw error
      }
    },
  }

  return {
    observer,
    /** What moves do, for those that a server that died did not finish. */
    moveFollower: {
      /** Unless something else has the old path by now. */
      async moved({ path, origin }: { path: FilePath; origin: FilePath }): Promise<void> {
        if (!(await isThere(origin))) await move(origin, path)
      },
    },
    trashFollower: {
      /** Unless something else has the path by now. */
      async lost({ id, path }: { id: string; path: FilePath }): Promise<void> {
        if (!(await isThere(path))) await move(path, inTrash(id))
      },
      found: ({ id }: { id: string }, to: FilePath): Promise<void> => move(inTrash(id), to),
      purged: ({ id }: { id: string }): Promise<void> => store.removed(inTrash(id)),
    },
  }
}

const TRASH = parseFilePath('/.satchel/trash')

/** A path that no Drive reaches. */
function inTrash(id: string): FilePath {
  return joinPath(TRASH, id)
}
