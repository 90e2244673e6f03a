import { encodeFilePath, type FilePath, ROOT } from '../../shared/file-path.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Drive } from '../drive/drive.ts'
import type { NonNullActor } from './actor.ts'
import type { Locks } from './locks.ts'
import type { LockGuard } from './lock-guard.ts'
import type { Overwrites } from './overwrites.ts'
import type { PropertyStore } from './property-store.ts'

/** What WebDAV works with. */
export interface DavParts {
  readonly locks: Locks
  readonly guard: LockGuard
  readonly overwrites: Overwrites
  readonly properties: PropertyStore
  readonly systemDrive: Drive
  /** A storage path by the names that the disk lists, with links on the way resolved, as far as it exists. */
  readonly listedPath: (path: FilePath) => Promise<FilePath>
  /** What is left of a disk's space for this person. */
  readonly spaceOf: (viewer: Viewer, disk: { total: number; used: number }) => Promise<{ total: number; used: number }>
  /** Puts what was removed back where it was. */
  readonly restoreTrashed: (viewer: Viewer, id: string, to: FilePath) => Promise<unknown>
  readonly clock: () => Date
  /** Whether a host, with its port if it has one, is this server, as far as the request tells. */
  readonly isOwnHost: (host: string, request: Request) => boolean
}

/** One request about a path. */
export interface DavCall extends DavParts {
  readonly request: Request
  readonly viewer: Viewer
  readonly actor: NonNullActor
  /** Changes are recorded as this person's. */
  readonly drive: Drive
  /** The same drive for a request that has just made a lock. */
  readonly changingWith: (lockId: string) => Drive
  readonly path: FilePath
  /** Where `/` of the Drive is: the base URL and `/dav`. */
  readonly base: string
  /** Whether the response stays on this machine. */
  readonly local: boolean
}

/** The address of a node, without scheme and host; of a folder with a slash at its end (RFC 4918, section 5.2). */
export function hrefOf({ base }: Pick<DavCall, 'base'>, path: FilePath, { isFolder }: { isFolder: boolean }): string {
  const encoded = path === ROOT ? '' : encodeFilePath(path)
  return `${base}${encoded}${isFolder ? '/' : ''}`
}
