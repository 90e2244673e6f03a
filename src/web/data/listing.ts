import { type File, type FileType, ROW_FOLDER, ROW_LINK, ROW_TYPES, type Rows } from '../../shared/contract/resources.ts'
import type { FileRight } from '../../shared/contract/rights.ts'
import type { Sorting } from '../../shared/contract/users.ts'
import { type FilePath, joinPath } from '../../shared/file-path.ts'

/** The columns of a folder. An entry is identified by its index, which sorting does not change. */
export interface Columns {
  readonly names: readonly string[]
  /** Bytes. */
  readonly sizes: readonly number[]
  /** Milliseconds since 1970. */
  readonly modifieds: readonly number[]
  /** As in the contract's Rows. */
  readonly types: readonly number[]
  /** Total bytes below each folder, where known. */
  readonly sums?: readonly (number | undefined)[]
}

export interface Counts {
  readonly folders: number
  readonly files: number
}

export const NONE: Counts = { folders: 0, files: 0 }

/** A folder as columns, without an object per entry, and its display order, folders first. */
export interface Listing extends Columns {
  readonly kind: 'folder'
  readonly path: FilePath
  /** Milliseconds since 1970. */
  readonly modified: number
  readonly sorting: Sorting
  readonly numDirs: number
  readonly numFiles: number
  /** Entries that have not arrived yet; they follow all others. */
  readonly pending: Counts
  /** Display position → entry index. */
  readonly order: Uint32Array
  /** Entry index → display position, or HIDDEN. */
  readonly positions: Uint32Array
  /** What the user may do here; null where it is what their account may. */
  readonly rights: FolderRights | null
  /** Names of folders whose disks are not connected. */
  readonly away?: readonly string[] | undefined
}

export interface FolderRights {
  readonly here: readonly FileRight[]
  /** By name, of entries for which it differs. */
  readonly of: Readonly<Record<string, readonly FileRight[]>>
}

export interface OpenedFile {
  readonly kind: 'file'
  readonly path: FilePath
  readonly file: File
  /** Version for If-Match when saving (`versionIn`); null if unknown. */
  readonly version: string | null
}

/** What an address of the files area refers to. */
export type Resource = Listing | OpenedFile

/** One entry as an object, created on demand. */
export interface ListedEntry {
  readonly index: number
  readonly path: FilePath
  readonly name: string
  readonly size: number
  /** For folders: total bytes, where known. */
  readonly sum?: number
  readonly modified: number
  readonly type: FileType
  readonly isDir: boolean
  readonly isLink: boolean
  /** Its disk is not connected. */
  readonly away?: boolean | undefined
}

export function listingFrom(rows: Rows, path: FilePath): Listing {
  const { names, sizes, modifieds, types, sorting, away } = rows
  const modified = Date.parse(rows.modified)
  const here = foldersIn(types)
  const pending = { folders: rows.numDirs - here, files: rows.numFiles - (names.length - here) }
  const rights = rows.rights === undefined ? null : { here: rows.rights, of: rows.rightsOf ?? {} }
  return createListing({ path, modified, sorting, names, sizes, modifieds, types, pending, rights, away }, ordered(types))
}

interface Content extends Columns {
  readonly path: FilePath
  readonly modified: number
  readonly sorting: Sorting
  readonly pending?: Counts
  readonly rights?: FolderRights | null
  readonly away?: Listing['away']
}

/** @param order a permutation of the indices, folders first */
export function createListing(content: Content, order: Uint32Array): Listing {
  const { names, types, pending = NONE, rights = null } = content
  const positions = new Uint32Array(order.length)
  for (let position = 0; position < order.length; position++) positions[order[position] ?? 0] = position
  const here = foldersIn(types)
  const counts = { numDirs: here + pending.folders, numFiles: names.length - here + pending.files }
  return { ...content, kind: 'folder', ...counts, pending, order, positions, rights }
}

/** Whether all entries have arrived; until then, nothing can be said or done about all of them. */
export function isComplete({ pending }: Listing): boolean {
  return pending.folders + pending.files === 0
}

function foldersIn(types: readonly number[]): number {
  let folders = 0
  for (const type of types) if (type & ROW_FOLDER) folders++
  return folders
}

export function entryOf(listing: Listing, index: number): ListedEntry {
  const name = listing.names[index]
  if (name === undefined) throw new RangeError(`no entry ${index}`)
  const bits = listing.types[index] ?? 0
  return {
    index,
    path: joinPath(listing.path, name),
    name,
    size: listing.sizes[index] ?? 0,
    sum: listing.sums?.[index],
    modified: listing.modifieds[index] ?? Number.NaN,
    type: ROW_TYPES[bits & (ROW_FOLDER - 1)] ?? 'blob',
    isDir: (bits & ROW_FOLDER) !== 0,
    isLink: (bits & ROW_LINK) !== 0,
    away: listing.away?.includes(name),
  }
}

export function entryAt(listing: Listing, position: number): ListedEntry {
  return entryOf(listing, listing.order[position] ?? -1)
}

export function isFolderAt(columns: Columns, index: number): boolean {
  return ((columns.types[index] ?? 0) & ROW_FOLDER) !== 0
}

/** Position of an entry that is filtered out. */
export const HIDDEN = 0xffff_ffff

/** Whether an entry is not filtered out. */
export function isShown(listing: Listing, index: number): boolean {
  return (listing.positions[index] ?? HIDDEN) !== HIDDEN
}

/** @returns the entry's index, or null if there is no such name */
export function indexOfName(columns: Columns, name: string): number | null {
  const index = columns.names.indexOf(name)
  return index < 0 ? null : index
}

/** For many names: one pass over the listing instead of one for each name. @returns `indexOfName` of this listing */
export function indexOfNames(columns: Columns): (name: string) => number | null {
  const indices = new Map(columns.names.map((name, index) => [name, index]))
  return (name) => indices.get(name) ?? null
}

/** Total bytes of the files among these entries; folder sizes are unknown. */
export function sizeOfFiles(columns: Columns, indices?: Iterable<number>): number {
  let sum = 0
  for (const index of indices ?? columns.names.keys()) if (!isFolderAt(columns, index)) sum += columns.sizes[index] ?? 0
  return sum
}

/** The listing without these entries. */
export function withoutEntries(listing: Listing, gone: ReadonlySet<string>): Listing {
  const kept = [...listing.order].filter((index) => !gone.has(listing.names[index] ?? ''))
  return rebuilt(listing, kept, (index) => listing.names[index] ?? '')
}

/** The listing with one entry renamed; it keeps its position until the server responds. */
export function withRenamedEntry(listing: Listing, from: string, to: string): Listing {
  return rebuilt(listing, [...listing.order], (index) => (listing.names[index] === from ? to : (listing.names[index] ?? '')))
}

/** Whether two responses are equal, so that nothing renders again. */
export function isSameResource(a: Resource | undefined, b: Resource): boolean {
  if (a?.kind !== 'folder' || b.kind !== 'folder') return false
  const same = (one: readonly unknown[], other: readonly unknown[]) =>
    one.length === other.length && one.every((value, at) => value === other[at])
  return (
    a.modified === b.modified &&
    a.sorting.by === b.sorting.by &&
    a.sorting.asc === b.sorting.asc &&
    same(a.names, b.names) &&
    same(a.sizes, b.sizes) &&
    same(a.modifieds, b.modifieds) &&
    same(a.types, b.types) &&
    isSameRights(a.rights, b.rights)
  )
}

function isSameRights(one: FolderRights | null, other: FolderRights | null): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

function rebuilt(listing: Listing, indices: readonly number[], nameOf: (index: number) => string): Listing {
  const { path, modified, sorting, rights } = listing
  const content = {
    path,
    modified,
    sorting,
    rights,
    names: indices.map(nameOf),
    sizes: indices.map((index) => listing.sizes[index] ?? 0),
    modifieds: indices.map((index) => listing.modifieds[index] ?? 0),
    types: indices.map((index) => listing.types[index] ?? 0),
  }
  return createListing(content, ordered(content.types))
}

/** The server's order, with folders first in any case. */
function ordered(types: readonly number[]): Uint32Array {
  const order = new Uint32Array(types.length)
  let next = 0
  for (const wanted of [ROW_FOLDER, 0])
    for (let index = 0; index < types.length; index++) if (((types[index] ?? 0) & ROW_FOLDER) === wanted) order[next++] = index
  return order
}
