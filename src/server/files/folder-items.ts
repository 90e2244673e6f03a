import type { Folder } from '../../shared/contract/resources.ts'
import { extensionOf } from '../../shared/file-type.ts'
import { extensionsOf } from './extensions.ts'
import type { FolderInOrder } from './folder-task.ts'
import { goMode } from './go-mode.ts'
import { isFolderAt, NO_LINK, typeAt } from './folder-columns.ts'
import { createTextSink } from './text-sink.ts'
import { timestamp, timestamps } from './timestamp.ts'

/** Objects in one piece: less than a megabyte. All of a long folder at once took three times the memory of the JSON. */
const PIECE_ROWS = 4096
const EXPECTED_BYTES = 256

export function piecesOfItems({ rows }: FolderInOrder): number {
  return Math.max(1, Math.ceil(rows.length / PIECE_ROWS))
}

/** One piece of the JSON of `Folder`, written by hand, because objects cost more than their JSON. The keys are in the predecessor's order. */
export function pieceOfItems(folder: FolderInOrder, piece: number): Uint8Array<ArrayBuffer> {
  const { head, columns, rows } = folder
  const from = piece * PIECE_ROWS
  const part = rows.subarray(from, from + PIECE_ROWS)
  const { names, sizes, modified, modes, links } = columns
  const extensionAt = extensionsOf(names)
  const time = timestamps()
  const parent = new TextEncoder().encode(JSON.stringify(head.path.endsWith('/') ? head.path : `${head.path}/`).slice(0, -1))
  const sink = createTextSink(part.length * (EXPECTED_BYTES + parent.length))
  if (piece === 0) sink.text('{"items":[')
  part.forEach((index, at) => {
    const extension = extensionAt(index)
    sink.text(piece + at === 0 ? '{"path":' : ',{"path":')
    sink.bytes(parent)
    sink.name(names, index)
    sink.text('","name":"')
    sink.name(names, index)
    sink.text(
      `","size":${sizes[index]},"extension":${JSON.stringify(extension)},"modified":"${time(modified[index] ?? 0)}",` +
        `"mode":${goMode(modes[index] ?? 0)},"isDir":${isFolderAt(columns, index)},"isSymlink":${links[index] !== NO_LINK},` +
        `"type":"${typeAt(columns, index, extension)}"}`,
    )
  })
  if (from + part.length === rows.length) sink.text(`],${tailOf(folder)}`)
  return sink.end()
}

function tailOf({ head, sorting, counts: { numDirs, numFiles } }: FolderInOrder): string {
  const rest = {
    numDirs,
    numFiles,
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
  return JSON.stringify(rest).slice(1)
}
