import { type FilePath, nameOf, parentOf, segmentsOf } from '../../shared/file-path.ts'
import type { Address } from './address.ts'
import type { Executor } from './executor.ts'
import type { Executors } from './executors.ts'
import { pathOf, type NodeHandle, type Stat, type Where } from './storage.ts'

/** Addresses for calls to the disk (in the open folder of a handle, or from the root for a path), and their executors. */
export type Addressing = ReturnType<typeof createAddressing>

export function createAddressing(root: { readonly fd: number }, executors: Executors) {
  const folders = new WeakMap<NodeHandle, { readonly fd: number; readonly executor: Executor }>()

  function folderOf(where: Where) {
    if (typeof where === 'string') return null
    const folder = folders.get(where)
    // Its descriptor may be reused by now.
    if (folder === undefined) throw new Error('a node was used after it was closed')
    return folder
  }

  return {
    /** The folder that a handle holds open; null for a path. */
    folderOf,
    of(where: Where): Address {
      const path = pathOf(where)
      const name = nameOf(path) || '.'
      const folder = folderOf(where)
      if (folder !== null) return { fd: folder.fd, below: [], name, stay: false }
      return { fd: root.fd, below: segmentsOf(parentOf(path)), name, stay: executors.isOnRoot(path) }
    },
    /** The executor of its disk; for a handle that of the disk at the time it was opened, if that has threads. */
    executorOf(where: Where): Executor {
      const opener = folderOf(where)?.executor
      return opener?.isThreaded() === true ? opener : executors.of(pathOf(where))
    },
    /** @param found.fd descriptor of the node's folder, closed with the handle; null for the root. @param executor the one that opened it */
    hold(path: FilePath, { fd, stat }: { fd: number | null; stat: Stat | null }, executor: Executor): NodeHandle {
      const handle: NodeHandle = {
        path,
        stat,
        [Symbol.dispose]() {
          if (folders.delete(handle) && fd !== null) void executor.io.close(fd)
        },
      }
      folders.set(handle, { fd: fd ?? root.fd, executor })
      return handle
    },
  }
}
