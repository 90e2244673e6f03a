import { isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import { exists } from '../drive/exists.ts'
import type { Observer } from '../drive/observed-drive.ts'
import type { Operation } from '../drive/operation.ts'
import { resolvedPathOf } from '../drive/resolve-parent.ts'
import type { Dropper } from './dropper.ts'
import type { VersionStore } from './store.ts'

export interface FollowDeps {
  readonly store: VersionStore
  readonly dropper: Pick<Dropper, 'start'>
  readonly systemDrive: Drive
}

interface Deleted {
  readonly id: string
  readonly path: FilePath
  readonly at: number
}

/** Versions follow their files to another path, to the trash and back; they are removed when their file is. */
export function followFiles({ store, dropper, systemDrive }: FollowDeps) {
  async function removeBelow(path: FilePath): Promise<void> {
    if (await store.drop({ below: path })) dropper.start()
  }

  async function follow(operation: Operation): Promise<void> {
    const pathOf = (path: FilePath) => resolvedPathOf(systemDrive, operation, path)
    if (operation.kind === 'rename') return store.moved(await pathOf(operation.from), await pathOf(operation.to))
    if (operation.kind === 'restore') return store.untrashed(operation.node.id, operation.node.place, await pathOf(operation.path))
    if (operation.kind !== 'delete') return
    const path = await pathOf(operation.path)
    await (operation.trashed === null ? removeBelow(path) : store.trashed(path, operation.trashed))
  }

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
        if (!(await exists(systemDrive, origin))) await store.moved(origin, path)
      },
    },
    trashFollower: {
      lost: ({ id, path, at }: Deleted): Promise<void> => store.trashed(path, id, { until: at }),
      found: ({ id, path }: Deleted, to: FilePath): Promise<void> => store.untrashed(id, path, to),
      async purged({ id }: Deleted): Promise<void> {
        if (await store.drop({ trashed: id })) dropper.start()
      },
    },
  }
}
