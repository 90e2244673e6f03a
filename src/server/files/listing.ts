import type { File, FileType } from '../../shared/contract/resources.ts'
import type { Sorting } from '../../shared/contract/users.ts'
import { type FilePath, joinPath } from '../../shared/file-path.ts'
import { extensionOf, fileType, SNIFF_BYTES, typeOf } from '../../shared/file-type.ts'
import { MAX_TEXT_BYTES } from '../../shared/limits.ts'
import type { Children, Drive, Entry } from '../drive/drive.ts'
import type { FolderTask } from './folder-text.ts'
import type { FolderWriter } from './folder-writer.ts'
import { goMode, isRegularMode } from './go-mode.ts'
import { sheetOf } from './sheet.ts'
import { findSubtitles } from './subtitle-search.ts'
import { decodeText } from '../../shared/text-content.ts'
import { timestamp } from './timestamp.ts'

const SNIFFED_FOLDER_ENTRIES = 2000
const SNIFFED_FILES = 200
const SNIFFS_AT_ONCE = 16

export interface ListingOptions {
  /** The address as it was asked for, with its trailing slash. */
  asked: string
  signal?: AbortSignal
}

export interface FolderOptions extends ListingOptions {
  form: FolderTask['form']
  sorting: Sorting
  /** Whether files whose names say nothing are looked into. */
  typeDetectionByHeader: boolean
  /** Begins with the order of names that come early. */
  order: FolderWriter['order']
}

/** Everything the wire tells of a folder, before it is sorted and written. */
export async function readFolder(drive: Drive, entry: Entry, options: FolderOptions): Promise<FolderTask> {
  let named: Promise<Uint32Array | null> | undefined
  const onNames = (names: readonly string[]) => void (named = options.order(names))
  const children = await drive.list(entry.path, { signal: options.signal, onNames })
  const sniffed = options.typeDetectionByHeader ? await sniffChildren(drive, entry.path, children) : new Map()
  const { size, modified, mode } = entry.stat
  const order = await named
  return {
    form: options.form,
    head: { path: options.asked, name: entry.name, size, modified, mode, isSymlink: entry.target !== null },
    sorting: options.sorting,
    sheet: sheetOf(children, sniffed),
    // Of other names where some have vanished since.
    named: order?.length === children.names.length ? order : undefined,
  }
}

/**
 * Everything the wire tells of one file. Text of up to 10 MiB comes with it for those who may download, and is not editable for those who may
 * not modify, or where saving it would change bytes that are not UTF-8.
 */
export async function readFile(drive: Drive, entry: Entry, { asked, signal }: ListingOptions): Promise<File> {
  const file = describeFile(entry, { asked, type: await sniffedType(drive, entry) })
  if (file.type === 'video') {
    const subtitles = await findSubtitles(drive, entry.path, { signal })
    return subtitles.length === 0 ? file : { ...file, subtitles }
  }
  if (file.type !== 'text') return file
  const editable = drive.may('modify')
  if (!drive.may('download')) return { ...file, type: editable ? 'text' : 'textImmutable' }
  await using open = await drive.open(entry.path)
  const { text, faithful } = decodeText(await open.peek(0, Math.min(open.stat.size, MAX_TEXT_BYTES)))
  const type = editable && faithful ? 'text' : 'textImmutable'
  return text === '' ? { ...file, type } : { ...file, type, content: text }
}

/** One file without its content. */
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

/** The type of one file, by name and first bytes; whoever cannot read them gets what the name says. */
export async function sniffedType(drive: Drive, { path, name, stat, target }: Entry): Promise<FileType> {
  if (target === 'outside' || target === 'missing') return 'invalid_link'
  if (stat.kind !== 'file') return 'blob'
  const head = await drive.sniff(path, SNIFF_BYTES).catch(() => undefined)
  return typeOf({ name, size: stat.size, head })
}

/** Looks into the first files whose names say nothing, in folders where that is quick. */
async function sniffChildren(drive: Drive, folder: FilePath, { names, sizes, modes }: Children): Promise<Map<number, FileType>> {
  const found = new Map<number, FileType>()
  if (names.length > SNIFFED_FOLDER_ENTRIES) return found
  const unknown: { index: number; name: string }[] = []
  for (const [index, name] of names.entries()) {
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
