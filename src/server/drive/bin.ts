import type { FilePath } from '../../shared/file-path.ts'
import type { Kept, MoveOptions, NodeKind, Stat } from '../storage/storage.ts'
import { fail } from '../../shared/errors.ts'

/** A removal that can be undone. */
export interface Trashed {
  readonly id: string
}

/** A node in the trash. */
export interface TrashedNode {
  readonly id: string
  readonly kept: Kept
  readonly kind: NodeKind
  /** Where it was: storage path, links resolved. */
  readonly place: FilePath
  /** The same by the viewer's path. */
  readonly path: FilePath
}

/** PORT: the trash, for what one person removes and restores. The Drive has checked everything before it calls these. */
export interface Bin {
  /**
   * Moves a node to the trash; fails with `not-found` if it has gone, and with `storage-full`. Null where nothing can be kept, if there is no trash, and on
   * a full disk for clients that do not know of the trash: nothing was done, and the deletion is final.
   */
  keep(place: FilePath, stat: Stat): Promise<Trashed | null>
  /** Moves it back. Fails with `not-found` if it is not in the trash, and with `already-exists`, as `Storage.move` does. */
  restore(node: TrashedNode, to: FilePath, options: MoveOptions): Promise<void>
}

/** For the server's own work, which is final. */
export const NO_BIN: Bin = {
  keep: async () => null,
  restore: async () => fail('not-found', {}),
}
