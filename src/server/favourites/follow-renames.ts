import { isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { inStorage } from '../access/access.ts'
import type { Observer } from '../drive/observed-drive.ts'
import type { Operation } from '../drive/operation.ts'
import type { Drive } from '../drive/drive.ts'
import { exists } from '../drive/exists.ts'
import { resolveParent } from '../drive/resolve-parent.ts'
import type { VisitBuffer } from './visit-buffer.ts'
import type { FavouriteStore } from './store.ts'

export interface FollowDeps {
  readonly store: Pick<FavouriteStore, 'moved' | 'removed'>
  readonly visitBuffer: Pick<VisitBuffer, 'settled'>
  readonly systemDrive: Drive
}

/**
 * Updates favourites and recent files after a rename or move, and removes them after a deletion, unless the node is in the trash. Unlike links they
 * refer to a path, not to a node: a new version is the same favourite, whoever wrote it.
 */
export function followRenames({ store, visitBuffer, systemDrive }: FollowDeps) {
  const storagePathOf = (operation: Operation, path: FilePath) => resolveParent(systemDrive, inStorage(operation.access, path))
  const observer: Observer = {
    async after(operation) {
      if (operation.kind !== 'rename' && operation.kind !== 'delete' && operation.kind !== 'restore') return
      // They are not shown while their node is in the trash.
      if (operation.kind === 'delete' && operation.trashed !== null) return
      try {
        await visitBuffer.settled()
        if (operation.kind === 'delete') await store.removed(await storagePathOf(operation, operation.path))
        else if (operation.kind === 'restore') await returned(operation.node.place, await storagePathOf(operation, operation.path))
        else await store.moved(await storagePathOf(operation, operation.from), await storagePathOf(operation, operation.to))
      } catch (error) {
        // Its parent folder has gone meanwhile, which was reported and removed everything below.
        if (!isAppError(error, 'not-found')) throw error
      }
    },
  }
  async function returned(from: FilePath, to: FilePath): Promise<void> {
    if (from !== to) await store.moved(from, to)
  }

  return {
    observer,
    trashFollower: {
      found: ({ path }: { path: FilePath }, to: FilePath): Promise<void> => returned(path, to),
      /** Unless something else has the path by now. */
      async purged({ path }: { path: FilePath }): Promise<void> {
        if (!(await exists(systemDrive, path))) await store.removed(path)
      },
    },
  }
}
