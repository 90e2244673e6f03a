import type { FilePath } from '../../shared/file-path.ts'

/** What a storage of several roots knows without asking a disk. Each is missing if nothing of the kind is there. */
export interface RootFacts {
  /** Whether nothing at and below a path can be changed, also by administrators. */
  readonly isReadOnly?: ((path: FilePath) => boolean) | undefined
  /** Whether a folder stays under its name: it is never moved, removed or replaced. */
  readonly isFixed?: ((path: FilePath) => boolean) | undefined
  /** Names in a folder whose disks are not connected, as of the last call to each. */
  readonly awayIn?: ((folder: FilePath) => readonly string[]) | undefined
}
