import type { FilePath } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import type { TrashedNode } from './bin.ts'
import type { OperationWay } from '../../shared/contract/trash.ts'
import type { Viewer } from '../access/viewer.ts'

/** The user in whose name something is done; for visitors of a link, its owner. Null for the server itself. */
export type Actor = {
  readonly id: number
  readonly name: string
  readonly via?: OperationWay
  /** The gesture that everything belongs to; a new one for each Drive by default. */
  readonly group?: string
  /** Whether the gesture may have begun earlier: then it must be this user's. */
  readonly joins?: boolean
  /** The operation of the journal that is taken back. */
  readonly reverts?: string
  /** The account whose quotas limit what is added, if it is another one. */
  readonly addsFor?: number
  /** The locks whose tokens the request submitted (WebDAV): who holds them may change what they protect. */
  readonly lockTokens?: ReadonlySet<string>
  /** Called when something has been changed that can be undone. */
  readonly onChanged?: () => void
  /** Within a share with people: the files are somebody else's. */
  readonly inShare?: boolean
} | null

export function actorOf({
  userId,
  username,
  isWeb,
  token,
  gesture,
  through,
}: Pick<Viewer, 'userId' | 'username' | 'isWeb' | 'token' | 'gesture' | 'through'>): NonNullable<Actor> {
  const via = token !== undefined ? 'token' : isWeb ? 'web' : 'api'
  const actor = { id: userId, name: username, via, ...(through !== undefined && { inShare: true }) } as const
  return gesture === undefined
    ? actor
    : { ...actor, group: gesture.group, joins: gesture.joins, onChanged: () => void (gesture.hasChanged = true) }
}

interface OperationBase {
  readonly user: Actor
  /** With this, `inStorage` turns the paths, which are the user's own, into storage paths. */
  readonly access: Access
}

/** A change of files, finished or about to start. Creating a folder is an upload; hooks and webhooks are told of a restoration as of an upload. */
export type Operation = OperationBase &
  (
    | { readonly kind: 'upload'; readonly path: FilePath; readonly folder: boolean }
    | { readonly kind: 'save'; readonly path: FilePath }
    | { readonly kind: 'copy'; readonly from: FilePath; readonly to: FilePath }
    | { readonly kind: 'rename'; readonly from: FilePath; readonly to: FilePath }
    /** `trashed`: the id under which it can be restored; null before it is done, and if it is final. */
    | { readonly kind: 'delete'; readonly path: FilePath; readonly trashed: string | null }
    | { readonly kind: 'restore'; readonly path: FilePath; readonly node: TrashedNode }
  )

export interface OperationOptions {
  /**
   * Awaited once, after all checks and before the first change, with the path of the result. If it fails, the operation fails with the same error.
   * Not called if there is nothing to do.
   */
  readonly ready?: (path: FilePath) => Promise<void>
}

export interface RemoveOptions extends OperationOptions {
  readonly signal?: AbortSignal | undefined
  /** Not to the trash. */
  readonly permanent?: boolean
  /** Where nothing can be kept, it fails with `forbidden` instead of removing it for good. */
  readonly onlyKept?: boolean
}

export interface PutBackOptions extends OperationOptions {
  /** Called before `ready` with the identity of the version that becomes the content. */
  readonly onVersion?: (identity: string) => void
}

export interface BringBackOptions extends OperationOptions {
  /** Where it was replaced: what could not be read, changed or removed there, does not come back to where it could be. */
  readonly from: FilePath
  readonly folder: boolean
}

export interface RestoreOptions extends OperationOptions {
  /** Over a file; needs `modify`. */
  readonly replace: boolean
  /** As for `TransferOptions`. */
  readonly rename: boolean
  readonly signal?: AbortSignal
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
  /** For a move: receives what marks it as done in the journal, to be called when everything that follows the node has run; by default at once. */
  readonly settleLater?: (settle: () => void) => void
}
