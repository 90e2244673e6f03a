import { closeSync } from 'node:fs'
import { type FilePath, nameOf, parentOf, segmentsOf } from '../../shared/file-path.ts'
import type { Address } from './address.ts'
import { pathOf, type NodeHandle, type Stat, type Where } from './storage.ts'

/** Where calls to the disk act: in the folder that a handle holds open, else on the way from the root. */
export interface Addressing {
  of(where: Where): Address
  /** The folder that a handle holds open; null for a path. */
  folderOf(where: Where): { readonly fd: number } | null
  /** @param fd of the node's folder, which is closed with the handle; null where that is the root */
  hold(path: FilePath, found: { fd: number | null; stat: Stat | null }): NodeHandle
}

export function createAddressing(root: { readonly fd: number }): Addressing {
  const folders = new WeakMap<NodeHandle, { readonly fd: number }>()

  function folderOf(where: Where): { readonly fd: number } | null {
    if (typeof where === 'string') return null
    const folder = folders.get(where)
    // The number may be another file's by now.
    if (folder === undefined) throw new Error('a node was used after it was closed')
    return folder
  }

  return {
    folderOf,
    of(where) {
      const path = pathOf(where)
      const name = nameOf(path) || '.'
      const folder = folderOf(where)
      return folder === null ? { fd: root.fd, below: segmentsOf(parentOf(path)), name } : { fd: folder.fd, below: [], name }
    },
    hold(path, { fd, stat }) {
      const handle: NodeHandle = {
        path,
        stat,
        [Symbol.dispose]() {
          if (folders.delete(handle) && fd !== null) closeSync(fd)
        },
      }
      folders.set(handle, { fd: fd ?? root.fd })
      return handle
    },
  }
}
