import type { File, FileType } from '../../shared/contract/resources.ts'
import type { Sorting } from '../../shared/contract/users.ts'
import { type FilePath, joinPath } from '../../shared/file-path.ts'
import { extensionOf, fileType, SNIFF_BYTES, typeOf } from '../../shared/file-type.ts'
import { MAX_TEXT_BYTES } from '../../shared/limits.ts'
import { type Names, packNames } from '../../shared/packed-names.ts'
import { decodeText } from '../../shared/text-content.ts'
import type { Drive } from '../drive/drive.ts'
import type { Children, Entry } from '../drive/entry.ts'
import { FIRST_ROWS, isLong } from './folder-text.ts'
import type { FolderHead, FolderInOrder, FolderTask } from './folder-task.ts'
import type { FirstRows, FolderWriter } from './folder-writer.ts'
import { goMode, isFolderMode, isRegularMode } from './go-mode.ts'
import { folderColumns } from './folder-columns.ts'
import { type FolderRights, folderRights } from './folder-rights.ts'
import { findSubtitles } from './subtitle-search.ts'
import { timestamp } from './timestamp.ts'

const SNIFFED_FOLDER_ENTRIES = 2000
const SNIFFED_FILES = 200
const SNIFFS_AT_ONCE = 16

export interface ListingOptions {
  /** The address as requested, with its trailing slash. */
  asked: string
  signal?: AbortSignal
}

export interface FolderOptions extends ListingOptions {
  form: FolderTask['form']
  sorting: Sorting
  /** Whether files with unknown extensions are opened to detect their type. */
  typeDetectionByHeader: boolean
  /** Additional fields for visitors: the ticket, and the terms of the link. */
  more?: FolderHead['more']
  /** Starts sorting the names as soon as they are known. */
  order: FolderWriter['order']
  /** Called with the first rows of a long folder, if they can be known before the rest. */
  onFirstRows?: (beginning: FolderInOrder) => void
}

/** The content of the response for a folder, before it is sorted and written. */
export async function readFolder(drive: Drive, entry: Entry, options: FolderOptions): Promise<FolderTask> {
  let named: Promise<Uint32Array | null> | undefined
  const onNames = (names: Names, types: Uint32Array): void => {
    named = options.order(packNames(names), earlyRows(drive, entry, { ...options, names, types }))
  }
  const children = await drive.list(entry.path, { signal: options.signal, onNames })
  const sniffed = options.typeDetectionByHeader ? await sniffChildren(drive, entry.path, children) : new Map()
  const order = await named
  return {
    form: options.form,
    head: headOf(entry, options, rightsFor(drive, entry, options, children.names)),
    sorting: options.sorting,
    columns: folderColumns(children, sniffed),
    // The order of other names, if some have disappeared since.
    named: order?.length === children.names.length ? order : undefined,
  }
}

function headOf({ name, stat: { size, modified, mode }, target }: Entry, { asked, more }: FolderOptions, rights: TellsMore): FolderHead {
  const added = more ?? (Object.keys(rights).length === 0 ? undefined : { ...rights })
  return { path: asked, name, size, modified, mode, isSymlink: target !== null, ...(added !== undefined && { more: added }) }
}

/** What a listing tells besides its columns: rights, and entries whose disks are not connected. */
type TellsMore = FolderRights & { readonly away?: readonly string[] }

/** Only our own client asks for rows, and visitors are told by their link. */
function rightsFor(drive: Drive, { path }: Entry, { form, more }: FolderOptions, names?: Children['names']): TellsMore {
  if (form !== 'rows' || more !== undefined) return {}
  const away = drive.awayIn(path)
  return { ...folderRights(drive, path, names), ...(away.length > 0 && { away }) }
}

/**
 * The first rows of a long folder before the others have been read: they are looked up one by one. Only when sorted by name, and not if a link might
 * be a folder, which would have to be looked up first.
 */
function earlyRows(drive: Drive, entry: Entry, options: FolderOptions & { names: Names; types: Uint32Array }): FirstRows | undefined {
  const { names, types, sorting, onFirstRows } = options
  if (onFirstRows === undefined || sorting.by !== 'name' || !isLong(names.length)) return undefined
  if (!types.every((type) => isFolderMode(type) || isRegularMode(type))) return undefined
  const folders = Uint8Array.from(types, (type) => Number(isFolderMode(type)))
  const numDirs = folders.reduce((sum, one) => sum + one, 0)
  async function look(indices: Uint32Array): Promise<FolderInOrder> {
    const paths = Array.from(indices, (index) => joinPath(entry.path, names.at(index) ?? ''))
    const rows = await Promise.all(paths.map((path) => drive.stat(path)))
    const columns = folderColumns({
      names: rows.map(({ name }) => name),
      sizes: Float64Array.from(rows, ({ stat }) => stat.size),
      modified: Float64Array.from(rows, ({ stat }) => stat.modified),
      modes: Uint32Array.from(rows, ({ stat }) => stat.mode),
      linked: new Map(),
    })
    const counts = { numDirs, numFiles: names.length - numDirs }
    return {
      form: 'rows',
      head: headOf(entry, options, rightsFor(drive, entry, options)),
      sorting,
      columns,
      rows: Uint32Array.from(rows.keys()),
      counts,
    }
  }
  return {
    folders,
    count: FIRST_ROWS,
    descending: sorting.asc,
    // If one of them has disappeared meanwhile, the complete listing shows it.
    tell: (indices) => void look(indices).then(onFirstRows, () => undefined),
  }
}

/**
 * The content of the response for a file. Text of up to 10 MiB is included for users who may download; it is not editable for users who may
 * not modify, or if saving would change bytes that are not UTF-8.
 */
export async function readFile(drive: Drive, entry: Entry, { asked, signal }: ListingOptions): Promise<File> {
  const file = describeFile(entry, { asked, type: await sniffedType(drive, entry) })
  if (file.type === 'video') {
    const subtitles = await findSubtitles(drive, entry.path, { signal })
    return subtitles.length === 0 ? file : { ...file, subtitles }
  }
  if (file.type !== 'text') return file
  const editable = drive.may('modify', entry.path) && !drive.isReadOnly(entry.path)
  if (!drive.may('download', entry.path)) return { ...file, type: editable ? 'text' : 'textImmutable' }
  await using open = await drive.open(entry.path)
  const { text, faithful } = decodeText(await open.peek(0, Math.min(open.stat.size, MAX_TEXT_BYTES)))
  const type = editable && faithful ? 'text' : 'textImmutable'
  return text === '' ? { ...file, type } : { ...file, type, content: text }
}

/** A file without its content. */
export function describeFile({ name, stat, target }: Entry, { asked, type }: { asked: string; type: FileType }): File {
  return {
    path: asked,
    name,
    size: stat.size,
    extension: extensionOf(name),
    modified: timestamp(stat.modified),
    mode: goMode(stat.mode),
    isDir: false,
    isSymlink: target !== null,
    type,
  }
}

/** The type of a file by name and first bytes; by name alone if it cannot be read. */
export async function sniffedType(drive: Drive, { path, name, stat, target }: Entry): Promise<FileType> {
  if (target === 'outside' || target === 'missing') return 'invalid_link'
  if (stat.kind !== 'file') return 'blob'
  const head = await drive.sniff(path, SNIFF_BYTES).catch(() => undefined)
  return typeOf({ name, size: stat.size, head })
}

/** Reads the first bytes of files with unknown extensions, in folders where that is fast. */
async function sniffChildren(drive: Drive, folder: FilePath, { names, sizes, modes }: Children): Promise<Map<number, FileType>> {
  const found = new Map<number, FileType>()
  if (names.length > SNIFFED_FOLDER_ENTRIES) return found
  const unknown: { index: number; name: string }[] = []
  for (const index of names.keys()) {
    const name = names.at(index) ?? ''
    const worthLooking = isRegularMode(modes[index] ?? 0) && (sizes[index] ?? 0) > 0 && fileType(name) === null
    if (worthLooking && unknown.length < SNIFFED_FILES) unknown.push({ index, name })
  }
  const queue = unknown.values()
  const look = async () => {
    for (const { index, name } of queue) {
      const head = await drive.sniff(joinPath(folder, name), SNIFF_BYTES).catch(() => undefined)
      found.set(index, typeOf({ name, size: sizes[index] ?? 0, head }))
    }
  }
  await Promise.all(Array.from({ length: Math.min(SNIFFS_AT_ONCE, unknown.length) }, look))
  return found
}
