import { isAppError } from '../../shared/errors.ts'
import { type FilePath, joinPath, parseFilePath } from '../../shared/file-path.ts'
import type { Observer } from '../drive/observed-drive.ts'
import type { Operation } from '../drive/operation.ts'
import type { Drive } from '../drive/drive.ts'
import { exists } from '../drive/exists.ts'
import { resolvedPathOf } from '../drive/resolve-parent.ts'
import type { VisitBuffer } from './visit-buffer.ts'
import type { FavouriteStore } from './store.ts'

export interface FollowDeps {
  readonly store: Pick<FavouriteStore, 'moved' | 'removed'>
  readonly visitBuffer: Pick<VisitBuffer, 'settled'>
  readonly systemDrive: Drive
}

/**
 * Updates favourites and recent files after a rename or move, and removes them after a deletion; those of a node in the trash come back with it. Unlike
 * links they refer to a path, not to a node: a new version is the same favourite.
 */
export function followRenames({ store, visitBuffer, systemDrive }: FollowDeps) {
  const storagePathOf = (operation: Operation, path: FilePath) => resolvedPathOf(systemDrive, operation, path)
  const observer: Observer = {
    async after(operation) {
      if (operation.kind !== 'rename' && operation.kind !== 'delete' && operation.kind !== 'restore') return
      try {
        await visitBuffer.settled()
        if (operation.kind === 'rename')
          await store.moved(await storagePathOf(operation, operation.from), await storagePathOf(operation, operation.to))
        else if (operation.kind === 'restore') await returned(operation.node, await storagePathOf(operation, operation.path))
        else if (operation.trashed === null) await store.removed(await storagePathOf(operation, operation.path))
        else await store.moved(await storagePathOf(operation, operation.path), inTrash(operation.trashed))
      } catch (error) {
        // Its parent folder has gone meanwhile, which was reported and removed everything below.
        if (!isAppError(error, 'not-found')) throw error
      }
    },
  }

  const returned = ({ id }: { id: string }, to: FilePath): Promise<void> => store.moved(inTrash(id), to)

  return {
    observer,
    /** What moves do, for those that a server that died did not finish. */
    moveFollower: {
      /** Unless something else has the old path by now. */
      async moved({ path, origin }: { path: FilePath; origin: FilePath }): Promise<void> {
        if (!(await exists(systemDrive, origin))) await store.moved(origin, path)
      },
    },
    trashFollower: {
      /** Unless something else has the path by now. */
      async lost({ id, path }: { id: string; path: FilePath }): Promise<void> {
        if (!(await exists(systemDrive, path))) await store.moved(path, inTrash(id))
      },
      found: returned,
      purged: ({ id }: { id: string }): Promise<void> => store.removed(inTrash(id)),
    },
  }
}

const TRASH = parseFilePath('/.satchel/trash')

/** A path that no Drive reaches: what refers to a node in the trash is not shown, and not taken for a later node at its old path. */
function inTrash(id: string): FilePath {
  return joinPath(TRASH, id)
}
