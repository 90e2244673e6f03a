import { type Folder, ROW_FOLDER, ROW_LINK, ROW_TYPES, type Rows } from '../../shared/contract/resources.ts'
import type { Sorting } from '../../shared/contract/users.ts'
import { extensionOf } from '../../shared/file-type.ts'
import { goMode } from './go-mode.ts'
import { foldersFirst, orderOf } from './order.ts'
import { isFolderAt, type Sheet, typeAt } from './sheet.ts'
import { timestamp, timestamps } from './timestamp.ts'

/** The folder itself, as it was asked for. */
export interface FolderHead {
  /** With a trailing slash where the address had one. */
  path: string
  name: string
  size: number
  modified: number
  mode: number
  isSymlink: boolean
  /** What a visitor is told besides: the ticket, and the terms of the link. */
  more?: Readonly<Record<string, unknown>>
}

export interface FolderTask {
  form: 'rows' | 'items'
  head: FolderHead
  sorting: Sorting
  sheet: Sheet
  /** The order of the sheet's names, where it was worked out ahead. */
  named?: Uint32Array
}

/** The JSON of a folder, as `Folder` or as `Rows`. */
export function folderText(task: FolderTask): string {
  return task.form === 'rows' ? rowsText(task) : itemsText(task)
}

function rowsText({ head, sorting, sheet, named }: FolderTask): string {
  const order = foldersFirst(sheet, orderOf(sheet, sorting, named))
  const numDirs = countFolders(sheet)
  // In the order in which the names lie in memory: to jump about takes twice as long.
  const types = Uint8Array.from(sheet.names, (_, index) => rowType(sheet, index))
  return JSON.stringify({
    kind: 'rows',
    path: head.path,
    name: head.name,
    modified: timestamp(head.modified),
    sorting: { by: sorting.by, asc: sorting.asc },
    numDirs,
    numFiles: sheet.names.length - numDirs,
    names: order.map((index) => sheet.names[index] ?? ''),
    sizes: order.map((index) => sheet.sizes[index] ?? 0),
    modifieds: order.map((index) => Math.floor(sheet.modified[index] ?? 0)),
    types: order.map((index) => types[index] ?? 0),
    ...head.more,
  } satisfies Rows)
}

const ROW_NUMBER = new Map<string, number>(ROW_TYPES.map((type, index) => [type, index]))

function rowType(sheet: Sheet, index: number): number {
  const type = ROW_NUMBER.get(typeAt(sheet, index)) ?? 0
  return type + (isFolderAt(sheet, index) ? ROW_FOLDER : 0) + (sheet.links.has(index) ? ROW_LINK : 0)
}

/** Written by hand, because a hundred thousand objects cost more than their text. The keys stand as the predecessor's clients see them. */
function itemsText({ head, sorting, sheet, named }: FolderTask): string {
  const numDirs = countFolders(sheet)
  const time = timestamps()
  const folder = head.path.endsWith('/') ? head.path : `${head.path}/`
  const start = quoted(folder).slice(0, -1)
  const items = sheet.names.map((name, index) => {
    const inner = quoted(name).slice(1)
    const isDir = isFolderAt(sheet, index)
    return (
      `{"path":${start}${inner},"name":"${inner},"size":${sheet.sizes[index]},"extension":${quoted(extensionOf(name))},` +
      `"modified":"${time(sheet.modified[index] ?? 0)}","mode":${goMode(sheet.modes[index] ?? 0)},"isDir":${isDir},` +
      `"isSymlink":${sheet.links.has(index)},"type":"${typeAt(sheet, index)}"}`
    )
  })
  const rest = {
    numDirs,
    numFiles: sheet.names.length - numDirs,
    sorting: { by: sorting.by, asc: sorting.asc },
    kind: 'listing',
    path: head.path,
    name: head.name,
    size: head.size,
    extension: extensionOf(head.name),
    modified: timestamp(head.modified),
    mode: goMode(head.mode),
    isDir: true,
    isSymlink: head.isSymlink,
    type: '',
    ...head.more,
  } satisfies Omit<Folder, 'items'>
  const ordered = orderOf(sheet, sorting, named).map((index) => items[index])
  return `{"items":[${ordered.join(',')}],${JSON.stringify(rest).slice(1)}`
}

function countFolders(sheet: Sheet): number {
  return sheet.modes.reduce((count, _, index) => (isFolderAt(sheet, index) ? count + 1 : count), 0)
}

/** Surrogates that stand for bytes which are not UTF-8 come out escaped, and so survive the way to the client. */
function quoted(text: string): string {
  return /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(text) ? `"${text}"` : JSON.stringify(text)
}
