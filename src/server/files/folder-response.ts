import { ROWS_MEDIA_TYPE, ROWS_SEQUENCE_MEDIA_TYPE } from '../../shared/contract/resources.ts'
import type { Sorting } from '../../shared/contract/users.ts'
import type { Drive } from '../drive/drive.ts'
import type { Entry } from '../drive/entry.ts'
import { respondJson } from './encoding.ts'
import { firstRowsOf, piecesOf, wholeOf } from './folder-text.ts'
import type { FolderHead, FolderInOrder, FolderTask } from './folder-task.ts'
import type { FolderWriter } from './folder-writer.ts'
import { readFolder } from './listing.ts'
import { respondPieces } from './pieces-response.ts'
import { respondSequence } from './sequence-response.ts'

export interface FolderRequest {
  readonly request: Request
  /** Whether the response stays on this machine. */
  readonly local: boolean
  /** Identifies the client: long folders alternate between clients. */
  readonly clientKey: string
  readonly writer: FolderWriter
  readonly form: FolderTask['form']
  readonly sorting: Sorting
  /** The address as requested, with its trailing slash. */
  readonly asked: string
  readonly typeDetectionByHeader: boolean
  /** Additional fields for visitors. */
  readonly more?: FolderHead['more']
}

/** Directories up to this size on disk have few entries: at most 100 KiB of names. */
const LONG_FOLDER_BYTES = 64 * 1024

/** A complete folder. */
export async function respondFolder(drive: Drive, entry: Entry, asked: FolderRequest): Promise<Response> {
  return respondWhole(await folderInOrder(drive, entry, { asked }), asked)
}

/** A folder as rows; for a long one the first rows as soon as they are known, then everything. */
export async function respondFolderInParts(drive: Drive, entry: Entry, asked: FolderRequest): Promise<Response> {
  const begun = Promise.withResolvers<FolderInOrder | null>()
  let isEarly = false
  const whole = folderInOrder(drive, entry, {
    asked,
    onFirstRows(firstRows) {
      isEarly = true
      begun.resolve(firstRows)
    },
    onRead: (task) => isEarly || begun.resolve(firstRowsOf(task)),
  })
  // After the first rows, a failure of the rest aborts the sequence.
  whole.catch(begun.reject)
  const firstRows = await begun.promise
  if (firstRows === null) return respondWhole(await whole, asked)
  return respondSequence(parts(firstRows, whole, asked.writer), { ...asked, mediaType: ROWS_SEQUENCE_MEDIA_TYPE })
}

interface Reading {
  readonly asked: FolderRequest
  readonly onFirstRows?: (firstRows: FolderInOrder) => void
  /** Called with the rows before they are sorted. */
  readonly onRead?: (task: FolderTask) => void
}

/** Long folders are processed one after another: reading and sorting takes more memory than the result. */
async function folderInOrder(drive: Drive, entry: Entry, { asked, onFirstRows, onRead }: Reading): Promise<FolderInOrder> {
  const { request, clientKey, writer } = asked
  async function read(): Promise<FolderInOrder> {
    const task = await readFolder(drive, entry, { ...readingOf(asked), onFirstRows })
    onRead?.(task)
    return await writer.sort(task)
  }
  return entry.stat.size > LONG_FOLDER_BYTES ? writer.slots.run(clientKey, read, { signal: request.signal }) : read()
}

function readingOf({
  request,
  writer,
  form,
  sorting,
  asked,
  typeDetectionByHeader,
  more,
}: FolderRequest): Parameters<typeof readFolder>[2] {
  return { form, sorting, asked, typeDetectionByHeader, more, signal: request.signal, order: writer.order }
}

async function respondWhole(folder: FolderInOrder, asked: FolderRequest): Promise<Response> {
  const mediaType = folder.form === 'rows' ? ROWS_MEDIA_TYPE : 'application/json'
  if (piecesOf(folder) === 1) return respondJson({ ...asked, bytes: await asked.writer.piece(folder, 0), mediaType })
  return respondPieces(piecesIn(folder, asked.writer), { ...asked, mediaType: `${mediaType}; charset=utf-8` })
}

/** The first rows can be shown while the rest is still read and sent. */
async function* parts(
  firstRows: FolderInOrder,
  whole: Promise<FolderInOrder>,
  writer: FolderWriter,
): AsyncGenerator<Uint8Array | AsyncIterable<Uint8Array>, void> {
  yield wholeOf(firstRows)
  yield piecesIn(await whole, writer)
}

/** While the client receives one piece, the next one is written, but no more. */
async function* piecesIn(folder: FolderInOrder, writer: FolderWriter): AsyncGenerator<Uint8Array, void> {
  const count = piecesOf(folder)
  let next = writer.piece(folder, 0)
  for (let piece = 1; piece <= count; piece++) {
    const bytes = await next
    if (piece < count) next = writer.piece(folder, piece)
    // Nothing awaits it if the client disconnects now.
    next.catch(() => undefined)
    yield bytes
  }
}
