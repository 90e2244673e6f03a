import { fail } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Kept, Stat } from '../storage/storage.ts'

/** Content that a file had before it was replaced. */
export interface Version {
  readonly id: string
  readonly kept: Kept
  /** When it was replaced; milliseconds since 1970. */
  readonly at: number
  /** Name of the user who replaced it; empty if unknown. */
  readonly by: string
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  /** Of the node, which it had already while it was the file. */
  readonly identity: string
}

/** For how many days, on how many percent of the disk, and whether the present content would be kept if it were replaced now. */
export interface VersionPolicy {
  readonly days: number
  readonly share: number
  readonly keeps: boolean
}

/**
 * Replaces a file.
 * @param keep where the storage keeps what is replaced; nowhere if undefined
 * @param options.isInterim one of several saves that leave one version, and not the first
 */
export type Replace<T> = (keep: Kept | undefined, options: { isInterim: boolean }) => Promise<T>

/**
 * PORT: versions of files, for what one person replaces. Files are storage paths, links resolved. The Drive has checked everything before it calls
 * these.
 */
export interface Versions {
  policy(file: FilePath): Promise<VersionPolicy>
  /** The newest first. */
  list(file: FilePath): Promise<Version[]>
  /** Null if it is not one of this file's. */
  find(file: FilePath, id: string): Promise<Version | null>
  /** Whatever file it is of, also one in the trash, and an emptied folder. For taking back what the journal says. */
  findAnywhere(id: string): Promise<Version | null>
  /**
   * An emptied folder goes where versions are, which nobody sees, so that it can come back.
   * @param remove removes it; with `keep`, keeps it there
   */
  emptying(folder: FilePath, remove: (keep: Kept | undefined) => Promise<void>): Promise<void>
  /** What `replace` replaces becomes a version, if the settings and the file system allow that. */
  replacing<T>(file: FilePath, replace: Replace<T>): Promise<T>
  /** The same for a save: saves of one person within ten minutes leave one version. */
  saving(file: FilePath, replace: Replace<Stat>): Promise<Stat>
  /** A version is the content of its file now, and no longer kept. */
  restored(version: Version): Promise<void>
  remove(version: Version): Promise<void>
}

/** For the server's own work, of which nothing is kept. */
export const NO_VERSIONS: Versions = {
  policy: async () => ({ days: 0, share: 0, keeps: false }),
  list: async () => [],
  find: async () => null,
  findAnywhere: async () => null,
  emptying: (_, remove) => remove(undefined),
  replacing: (_, replace) => replace(undefined, { isInterim: false }),
  saving: (_, replace) => replace(undefined, { isInterim: false }),
  restored: async () => fail('not-found', {}),
  remove: async () => fail('not-found', {}),
}
