import { type Folder, ROW_FOLDER, ROW_LINK, ROW_TYPES, type Rows } from '../../shared/contract/resources.ts'
import type { Sorting } from '../../shared/contract/users.ts'
import { extensionOf } from '../../shared/file-type.ts'
import { goMode } from './go-mode.ts'
import { firstRows, foldersFirst, orderOf } from './order.ts'
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

/** Rows in the first part of a long folder: a mosaic of small tiles on a large screen shows as many. */
export const BEGINNING = 200
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
  const { sheet, sorting, named } = task
  // In the order in which the names lie in memory: to jump about takes twice as long.
  const types = Uint8Array.from(sheet.names, (_, index) => rowType(sheet, index))
  return rowsText(task, foldersFirst(sheet, orderOf(sheet, sorting, named)), (index) => types[index] ?? 0)
}

/** Whether a folder has a beginning worth telling: others are there in about the time of theirs. */
export function isLong(entries: number): boolean {
  return entries >= LONG
}

/** As `Rows`, of which only the first are there. Null for folders that are not long, or not in order yet. */
export function beginningText(task: FolderTask): string | null {
  const { sheet, sorting, named } = task
  if (named === undefined || !isLong(sheet.names.length)) return null
  return rowsText(task, firstRows(sheet, sorting, { named, count: BEGINNING }), (index) => rowType(sheet, index))
}

/**
 * The same, of a folder of which no more is known yet.
 * @param task.sheet the first rows alone, in their order
 * @param counts of the whole folder
 */
export function earlyText(task: Omit<FolderTask, 'form' | 'named'>, counts: Counts): string {
  const { sheet } = task
  return rowsText(task, [...sheet.names.keys()], (index) => rowType(sheet, index), counts)
}

interface Counts {
  readonly numDirs: number
  readonly numFiles: number
}

function rowsText(
  { head, sorting, sheet }: Omit<FolderTask, 'form' | 'named'>,
  order: readonly number[],
  typeOf: (index: number) => number,
  counts: Counts = countsOf(sheet),
): string {
  return JSON.stringify({
    kind: 'rows',
    path: head.path,
    name: head.name,
    modified: timestamp(head.modified),
    sorting: { by: sorting.by, asc: sorting.asc },
    ...counts,
    names: order.map((index) => sheet.names[index] ?? ''),
    sizes: order.map((index) => sheet.sizes[index] ?? 0),
    modifieds: order.map((index) => Math.floor(sheet.modified[index] ?? 0)),
    types: order.map(typeOf),
    ...head.more,
  } satisfies Rows)
}

const ROW_NUMBER = new Map<string, number>(ROW_TYPES.map((type, index) => [type, index]))

function rowType(sheet: Sheet, index: number): number {
  const type = ROW_NUMBER.get(typeAt(sheet, index)) ?? 0
  return type + (isFolderAt(sheet, index) ? ROW_FOLDER : 0) + (sheet.links.has(index) ? ROW_LINK : 0)
}

/**
 * Written by hand, because a hundred thousand objects cost more than their text. The keys stand as the predecessor's clients see them. In pieces: all
 * objects beside their text took three times its size (R17).
 */
function* itemsTexts({ head, sorting, sheet, named }: FolderTask): Generator<string> {
  const time = timestamps()
  const folder = head.path.endsWith('/') ? head.path : `${head.path}/`
  const start = quoted(folder).slice(0, -1)
  const item = (index: number): string => {
    const name = sheet.names[index] ?? ''
    const inner = quoted(name).slice(1)
    const isDir = isFolderAt(sheet, index)
    return (
      `{"path":${start}${inner},"name":"${inner},"size":${sheet.sizes[index]},"extension":${quoted(extensionOf(name))},` +
      `"modified":"${time(sheet.modified[index] ?? 0)}","mode":${goMode(sheet.modes[index] ?? 0)},"isDir":${isDir},` +
      `"isSymlink":${sheet.links.has(index)},"type":"${typeAt(sheet, index)}"}`
    )
  }
  const rest = {
    ...countsOf(sheet),
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
  const order = orderOf(sheet, sorting, named)
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

function countsOf(sheet: Sheet): Counts {
  const numDirs = sheet.modes.reduce((count, _, index) => (isFolderAt(sheet, index) ? count + 1 : count), 0)
  return { numDirs, numFiles: sheet.names.length - numDirs }
}

/** Surrogates that stand for bytes which are not UTF-8 come out escaped, and so survive the way to the client. */
function quoted(text: string): string {
  return /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(text) ? `"${text}"` : JSON.stringify(text)
}
