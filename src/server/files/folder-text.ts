import { type Folder, ROW_FOLDER, ROW_LINK, ROW_TYPES, type Rows } from '../../shared/contract/resources.ts'
import type { Sorting } from '../../shared/contract/users.ts'
import { extensionOf } from '../../shared/file-type.ts'
import { goMode } from './go-mode.ts'
import { firstRows, foldersFirst, orderOf } from './order.ts'
import { isFolderAt, type FolderColumns, typeAt } from './folder-columns.ts'
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
  columns: FolderColumns
  /** The order of the sheet's names, where it was worked out ahead. */
  named?: Uint32Array
}

/** Rows in the first part of a long folder: a mosaic of small tiles on a large screen shows as many. */
export const FIRST_ROWS = 200
const LONG = 2000
/** Objects that are written at once. */
const PIECE_ROWS = 1000

/** The JSON of a folder, as `Folder` or as `Rows`, in UTF-8. */
export function folderBytes(task: FolderTask): Uint8Array<ArrayBuffer> {
  const sink = new Bun.ArrayBufferSink()
  sink.start({ asUint8Array: true })
  for (const text of folderTexts(task)) sink.write(text)
  // As `start` was told.
  return sink.end() as Uint8Array<ArrayBuffer>
}

/** The same as text. */
export function folderText(task: FolderTask): string {
  return [...folderTexts(task)].join('')
}

function folderTexts(task: FolderTask): Iterable<string> {
  return task.form === 'items' ? itemsTexts(task) : [wholeRowsText(task)]
}

function wholeRowsText(task: FolderTask): string {
  const { columns, sorting, named } = task
  // In the order in which the names lie in memory: to jump about takes twice as long.
  const types = Uint8Array.from(columns.names, (_, index) => rowType(columns, index))
  return rowsText(task, foldersFirst(columns, orderOf(columns, sorting, named)), (index) => types[index] ?? 0)
}

/** Whether a folder has a beginning worth telling: others are there in about the time of theirs. */
export function isLong(entries: number): boolean {
  return entries >= LONG
}

/** As `Rows`, of which only the first are there. Null for folders that are not long, or not in order yet. */
export function firstRowsText(task: FolderTask): string | null {
  const { columns, sorting, named } = task
  if (named === undefined || !isLong(columns.names.length)) return null
  return rowsText(task, firstRows(columns, sorting, { named, count: FIRST_ROWS }), (index) => rowType(columns, index))
}

/**
 * The same, of a folder of which no more is known yet.
 * @param task.sheet the first rows alone, in their order
 * @param counts of the whole folder
 */
export function earlyText(task: Omit<FolderTask, 'form' | 'named'>, counts: Counts): string {
  const { columns } = task
  return rowsText(task, [...columns.names.keys()], (index) => rowType(columns, index), counts)
}

interface Counts {
  readonly numDirs: number
  readonly numFiles: number
}

function rowsText(
  { head, sorting, columns }: Omit<FolderTask, 'form' | 'named'>,
  order: readonly number[],
  typeOf: (index: number) => number,
  counts: Counts = countsOf(columns),
): string {
  return JSON.stringify({
    kind: 'rows',
    path: head.path,
    name: head.name,
    modified: timestamp(head.modified),
    sorting: { by: sorting.by, asc: sorting.asc },
    ...counts,
    names: order.map((index) => columns.names[index] ?? ''),
    sizes: order.map((index) => columns.sizes[index] ?? 0),
    modifieds: order.map((index) => Math.floor(columns.modified[index] ?? 0)),
    types: order.map(typeOf),
    ...head.more,
  } satisfies Rows)
}

const ROW_NUMBER = new Map<string, number>(ROW_TYPES.map((type, index) => [type, index]))

function rowType(columns: FolderColumns, index: number): number {
  const type = ROW_NUMBER.get(typeAt(columns, index)) ?? 0
  return type + (isFolderAt(columns, index) ? ROW_FOLDER : 0) + (columns.links.has(index) ? ROW_LINK : 0)
}

/**
 * Written by hand, because a hundred thousand objects cost more than their text. The keys stand as the predecessor's clients see them. In pieces: all
 * objects beside their text took three times its size (R17).
 */
function* itemsTexts({ head, sorting, columns, named }: FolderTask): Generator<string> {
  const time = timestamps()
  const folder = head.path.endsWith('/') ? head.path : `${head.path}/`
  const start = quoted(folder).slice(0, -1)
  const item = (index: number): string => {
    const name = columns.names[index] ?? ''
    const inner = quoted(name).slice(1)
    const isDir = isFolderAt(columns, index)
    return (
      `{"path":${start}${inner},"name":"${inner},"size":${columns.sizes[index]},"extension":${quoted(extensionOf(name))},` +
      `"modified":"${time(columns.modified[index] ?? 0)}","mode":${goMode(columns.modes[index] ?? 0)},"isDir":${isDir},` +
      `"isSymlink":${columns.links.has(index)},"type":"${typeAt(columns, index)}"}`
    )
  }
  const rest = {
    ...countsOf(columns),
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
  const order = orderOf(columns, sorting, named)
  yield '{"items":['
  for (let row = 0; row < order.length; row += PIECE_ROWS) {
    const piece = order
      .slice(row, row + PIECE_ROWS)
      .map(item)
      .join(',')
    yield row === 0 ? piece : `,${piece}`
  }
  yield `],${JSON.stringify(rest).slice(1)}`
}

function countsOf(columns: FolderColumns): Counts {
  const numDirs = columns.modes.reduce((count, _, index) => (isFolderAt(columns, index) ? count + 1 : count), 0)
  return { numDirs, numFiles: columns.names.length - numDirs }
}

/** Surrogates that stand for bytes which are not UTF-8 come out escaped, and so survive the way to the client. */
function quoted(text: string): string {
  return /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(text) ? `"${text}"` : JSON.stringify(text)
}
