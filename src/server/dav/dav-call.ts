import { encodeFilePath, type FilePath, ROOT } from '../../shared/file-path.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Drive } from '../drive/drive.ts'
import type { Entry } from '../drive/entry.ts'
import type { NonNullActor } from './actor.ts'
import type { Locks } from './locks.ts'
import type { LockGuard } from './lock-guard.ts'
import type { Overwrites } from './overwrites.ts'
import type { PropertyStore } from './property-store.ts'
import type { Resource } from './resource.ts'
import type { XmlName } from './xml.ts'

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

/** The element of a property, as text; null if this resource does not have it. */
export type WriteProperty = (resource: Resource) => string | null | Promise<string | null>

/** What a dialect of WebDAV adds to a request: properties, headers, and how its answers are written. */
export interface Dialect {
  /** Called before a folder is listed: what is known of the tree must not be newer than the listing. Null for a property that it leaves to WebDAV. */
  readonly properties: (call: DavCall, path: FilePath) => Promise<(name: XmlName) => WriteProperty | null>
  /** A piece of XML that consists of whole elements, as the dialect's clients read it. */
  readonly restyle: (xml: string) => string
  /** When the file was changed last, as a request says; and what hashes its content while that arrives, and fails if it is another one. */
  readonly modifiedOf: (request: Request) => number | undefined
  readonly checked: (request: Request, body: ReadableStream<Uint8Array> | null) => ReadableStream<Uint8Array> | null
  /** Headers of the answer to a PUT. */
  readonly storedHeaders: (stat: Entry['stat'], request: Request) => Record<string, string>
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
  readonly dialect?: Dialect | undefined
  /** Whether the response stays on this machine. */
  readonly local: boolean
}

/** The address of a node, without scheme and host; of a folder with a slash at its end (RFC 4918, section 5.2). */
export function hrefOf({ base }: Pick<DavCall, 'base'>, path: FilePath, { isFolder }: { isFolder: boolean }): string {
  const encoded = path === ROOT ? '' : encodeFilePath(path)
  return `${base}${encoded}${isFolder ? '/' : ''}`
}
