import { ROW_FOLDER, ROW_LINK, ROW_TYPES, type Rows } from '../../shared/contract/resources.ts'
import { extensionsOf } from './extensions.ts'
import type { FolderInOrder } from './folder-task.ts'
import { isFolderAt, NO_LINK, typeAt } from './folder-columns.ts'
import { createTextSink, type TextSink } from './text-sink.ts'
import { timestamp } from './timestamp.ts'

const COLUMNS = ['names', 'sizes', 'modifieds', 'types'] as const
/** Values of one column in one piece: some hundred kilobytes. */
const PIECE_ROWS = 16_384
const EXPECTED_BYTES = 32

interface Range {
  readonly from: number
  readonly to: number
}

/** A short folder is one piece; each piece of a long one is a part of one column. */
export function piecesOfRows({ rows }: FolderInOrder): number {
  const ranges = rangesOf(rows)
  return ranges === 1 ? 1 : ranges * COLUMNS.length
}

/** One piece of the JSON of `Rows`. */
export function pieceOfRows(folder: FolderInOrder, piece: number): Uint8Array<ArrayBuffer> {
  const { length } = folder.rows
  const ranges = rangesOf(folder.rows)
  const from = (piece % ranges) * PIECE_ROWS
  const to = Math.min(from + PIECE_ROWS, length)
  const sink = createTextSink((to - from) * EXPECTED_BYTES)
  for (const column of ranges === 1 ? COLUMNS : COLUMNS.slice(piece / ranges, piece / ranges + 1))
    writePart(sink, folder, column, { from, to })
  return sink.end()
}

function rangesOf(rows: Uint32Array): number {
  return Math.max(1, Math.ceil(rows.length / PIECE_ROWS))
}

function writePart(sink: TextSink, folder: FolderInOrder, column: (typeof COLUMNS)[number], { from, to }: Range): void {
  if (from === 0) sink.text(column === 'names' ? `${headOf(folder)},"names":[` : `],"${column}":[`)
  else sink.text(',')
  writeValues(sink, folder, column, { from, to })
  if (column === 'types' && to === folder.rows.length) sink.text(`]${tailOf(folder)}`)
}

function headOf({ head, sorting, counts: { numDirs, numFiles } }: FolderInOrder): string {
  const text = JSON.stringify({
    kind: 'rows',
    path: head.path,
    name: head.name,
    modified: timestamp(head.modified),
    sorting: { by: sorting.by, asc: sorting.asc },
    numDirs,
    numFiles,
  } satisfies Omit<Rows, (typeof COLUMNS)[number]>)
  return text.slice(0, -1)
}

function tailOf({ head: { more = {} } }: FolderInOrder): string {
  return Object.keys(more).length === 0 ? '}' : `,${JSON.stringify(more).slice(1)}`
}

function writeValues(sink: TextSink, { columns, rows }: FolderInOrder, column: (typeof COLUMNS)[number], { from, to }: Range): void {
  const part = rows.subarray(from, to)
  const { names, sizes, modified } = columns
  switch (column) {
    case 'names':
      return part.forEach((index, at) => {
        sink.text(at === 0 ? '"' : ',"')
        sink.name(names, index)
        sink.text('"')
      })
    case 'sizes':
      return sink.text(Array.from(part, (index) => sizes[index] ?? 0).join(','))
    case 'modifieds':
      return sink.text(Array.from(part, (index) => Math.floor(modified[index] ?? 0)).join(','))
    case 'types':
      return sink.text(Array.from(part, rowTypes(columns)).join(','))
  }
}

const ROW_NUMBER = new Map<string, number>(ROW_TYPES.map((type, index) => [type, index]))

function rowTypes(columns: FolderInOrder['columns']): (index: number) => number {
  const extensionAt = extensionsOf(columns.names)
  return (index) => {
    const type = ROW_NUMBER.get(typeAt(columns, index, extensionAt(index))) ?? 0
    return type + (isFolderAt(columns, index) ? ROW_FOLDER : 0) + (columns.links[index] === NO_LINK ? 0 : ROW_LINK)
  }
}
