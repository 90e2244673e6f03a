import { isAppError } from '../../shared/errors.ts'
import { type FilePath, joinPath, parseFilePath, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import { inScope } from '../access/access.ts'
import type { Drive } from '../drive/drive.ts'
import { exists } from '../drive/exists.ts'
import type { Observer } from '../drive/observed-drive.ts'
import type { Operation } from '../drive/operation.ts'
import { resolvedPathOf } from '../drive/resolve-parent.ts'
import type { PropertyStore } from './property-store.ts'

/** Properties follow their nodes to another path, to the trash and back, and are copied with them. */
export function followProperties({ store, systemDrive }: { store: PropertyStore; systemDrive: Drive }) {
  const isThere = (place: FilePath): Promise<boolean> => exists(systemDrive, place)

  async function follow(operation: Operation): Promise<void> {
    const pathOf = (path: FilePath) => resolvedPathOf(systemDrive, operation, path)
    if (operation.kind === 'rename') return store.moved(await pathOf(operation.from), await pathOf(operation.to))
    if (operation.kind === 'copy') {
      const { access, from, to } = operation
      const [source, target] = [await pathOf(from), await pathOf(to)]
      // What the person does not see was not copied, whatever else is there.
      const isSeen = (place: FilePath): boolean => access.rules.allows(placeUnder(inScope(access, from), pathFrom(source, place) ?? ROOT))
      return store.copied(source, target, { isCopied: async (place, copy) => isSeen(place) && (await isThere(copy)) })
    }
    if (operation.kind === 'restore') return returned(operation.node, await pathOf(operation.path))
    if (operation.kind !== 'delete') return
    const path = await pathOf(operation.path)
    await (operation.trashed === null ? store.removed(path) : store.moved(path, inTrash(operation.trashed)))
  }

  const returned = ({ id }: { id: string }, to: FilePath): Promise<void> => store.moved(inTrash(id), to)

  const observer: Observer = {
    async after(operation) {
      try {
        await follow(operation)
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
        if (!(await isThere(origin))) await store.moved(origin, path)
      },
    },
    trashFollower: {
      /** Unless something else has the path by now. */
      async lost({ id, path }: { id: string; path: FilePath }): Promise<void> {
        if (!(await isThere(path))) await store.moved(path, inTrash(id))
      },
      found: returned,
      purged: ({ id }: { id: string }): Promise<void> => store.removed(inTrash(id)),
    },
  }
}

const TRASH = parseFilePath('/.satchel/trash')

/** A path that no Drive reaches. */
function inTrash(id: string): FilePath {
  return joinPath(TRASH, id)
}
