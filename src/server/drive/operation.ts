import type { FilePath } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import type { Viewer } from '../access/viewer.ts'

/** The user in whose name something is done; for visitors of a link, its owner. Null for the server itself. */
export type Actor = { readonly id: number; readonly name: string } | null

export function actorOf({ userId, username }: Pick<Viewer, 'userId' | 'username'>): Actor {
  return { id: userId, name: username }
}

interface OperationBase {
  readonly user: Actor
  /** With this, `inStorage` turns the paths, which are the user's own, into storage paths. */
  readonly access: Access
}

/** A change of files, finished or about to start. Creating a folder is an upload. */
export type Operation = OperationBase &
  (
    | { readonly kind: 'upload'; readonly path: FilePath; readonly folder: boolean }
    | { readonly kind: 'save'; readonly path: FilePath }
    | { readonly kind: 'copy'; readonly from: FilePath; readonly to: FilePath }
    | { readonly kind: 'rename'; readonly from: FilePath; readonly to: FilePath }
    | { readonly kind: 'delete'; readonly path: FilePath }
  )

export interface OperationOptions {
  /**
   * Awaited once, after all checks and before the first change, with the path of the result. If it fails, the operation fails with the same error.
   * Not called if there is nothing to do.
   */
  readonly ready?: (path: FilePath) => Promise<void>
}

export interface TransferOptions extends OperationOptions {
  /** Files are replaced, folders merged; needs `modify`. */
  readonly replace: boolean
  /** If the name is taken, a number is added: `a(1).txt`. Takes precedence over `replace`. */
  readonly rename: boolean
  readonly signal?: AbortSignal
  /** Called after each file, and repeatedly during a large one, with the bytes copied so far. A rename within one file system copies none. */
  readonly onProgress?: (bytes: number) => void
  /** For a move: called before copying starts, with the bytes to be copied, as far as known. A rename within one file system copies none. */
  readonly onTotal?: (bytes: number) => void
}
