import type { FilePath } from '../../src/shared/file-path.ts'
import { pathOf, type Storage } from '../../src/server/storage/storage.ts'

/** Something that was asked of the storage: content read, a folder listed, something put in its place or removed. */
export interface StorageAccess {
  readonly what: 'list' | 'read' | 'place' | 'remove'
  readonly path: FilePath
}

/** Holds up work on a storage at one touch, so that something can change in the middle of it. */
export interface StorageGate {
  around(storage: Storage): Storage
  /** Closed until `open`: the first touch that `stops` says yes to waits. */
  close(stops: (touch: StorageAccess) => boolean): void
  /** Resolves when something waits. */
  readonly reached: Promise<void>
  open(): void
  /** What was touched since it was opened; what had waited is not among it. */
  readonly since: readonly StorageAccess[]
}

export function createStorageGate(): StorageGate {
  let stops: ((touch: StorageAccess) => boolean) | null = null
  let isOpen = false
  const since: StorageAccess[] = []
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()

  async function pass(touch: StorageAccess): Promise<void> {
    if (isOpen) since.push(touch)
    if (stops?.(touch) !== true) return
    stops = null
    reached.resolve()
    await opened.promise
  }

  return {
    since,
    reached: reached.promise,
    close: (which) => void (stops = which),
    open() {
      isOpen = true
      opened.resolve()
    },
    around: (storage) => ({
      ...storage,
      async list(path, options) {
        await pass({ what: 'list', path: pathOf(path) })
        return storage.list(path, options)
      },
      async open(path) {
        await pass({ what: 'read', path: pathOf(path) })
        return storage.open(path)
      },
      async remove(path) {
        await pass({ what: 'remove', path: pathOf(path) })
        return storage.remove(path)
      },
      async keep(path, kept) {
        await pass({ what: 'remove', path: pathOf(path) })
        return storage.keep(path, kept)
      },
      async restoreKept(kept, path, options) {
        await pass({ what: 'place', path: pathOf(path) })
        return storage.restoreKept(kept, path, options)
      },
      async makeFolder(path) {
        await pass({ what: 'place', path: pathOf(path) })
        return storage.makeFolder(path)
      },
      async move(from, to, options) {
        await pass({ what: 'place', path: pathOf(to) })
        return storage.move(from, to, options)
      },
      stage(id, options) {
        const staged = storage.stage(id, options)
        return {
          ...staged,
          async copyFrom(path, how) {
            await pass({ what: 'read', path: pathOf(path) })
            return staged.copyFrom(path, how)
          },
          async commit(path, how) {
            await pass({ what: 'place', path: pathOf(path) })
            return staged.commit(path, how)
          },
        }
      },
    }),
  }
}
