import { ROWS_MEDIA_TYPE, ROWS_SEQUENCE_MEDIA_TYPE } from '../../shared/contract/resources.ts'
import type { Sorting } from '../../shared/contract/users.ts'
import type { Drive, Entry } from '../drive/drive.ts'
import { respondJson } from './encoding.ts'
import { firstRowsText, type FolderHead, type FolderTask } from './folder-text.ts'
import type { FolderWriter } from './folder-writer.ts'
import { readFolder } from './listing.ts'
import { respondSequence } from './sequence-response.ts'

export interface FolderRequest {
  readonly request: Request
  /** The client's address; null on a unix socket. */
  readonly peer: string | null
  readonly writer: FolderWriter
  readonly form: FolderTask['form']
  readonly sorting: Sorting
  /** The address as it was asked for, with its trailing slash. */
  readonly asked: string
  readonly typeDetectionByHeader: boolean
  /** What a visitor is told besides. */
  readonly more?: FolderHead['more']
}

/** Folders of this machine that take no more bytes have few entries: no more than 100 KiB of names. */
const LONG_FOLDER_BYTES = 64 * 1024

/** A folder, whole. */
export async function respondFolder(drive: Drive, entry: Entry, asked: FolderRequest): Promise<Response> {
  const bytes = await writeFolder(drive, entry, { asked })
  return respondJson({ ...asked, bytes, mediaType: asked.form === 'rows' ? ROWS_MEDIA_TYPE : 'application/json' })
}

/** A folder as rows; of a long one the beginning, as soon as that is known, and then the whole. */
export async function respondFolderInParts(drive: Drive, entry: Entry, asked: FolderRequest): Promise<Response> {
  const begun = Promise.withResolvers<string | null>()
  let isEarly = false
  const whole = writeFolder(drive, entry, {
    asked,
    onFirstRows(text) {
      isEarly = true
      begun.resolve(text)
    },
    onRead: (task) => isEarly || begun.resolve(firstRowsText(task)),
  })
  // Whoever leaves after the beginning does not hear how the rest went.
  whole.catch(begun.reject)
  const firstRows = await begun.promise
  if (firstRows === null) return respondJson({ ...asked, bytes: await whole, mediaType: ROWS_MEDIA_TYPE })
  return respondSequence(parts(firstRows, whole), { ...asked, mediaType: ROWS_SEQUENCE_MEDIA_TYPE })
}

interface Writing {
  readonly asked: FolderRequest
  readonly onFirstRows?: (text: string) => void
  /** Hears what is going to be written. */
  readonly onRead?: (task: FolderTask) => void
}

/** Long folders take turns: what one of them takes up while it is read and written is many times its answer (R17). */
async function writeFolder(drive: Drive, entry: Entry, { asked, onFirstRows, onRead }: Writing): Promise<Uint8Array<ArrayBuffer>> {
  using _ = entry.stat.size > LONG_FOLDER_BYTES ? await asked.writer.acquire(asked.request.signal) : null
  const task = await readFolder(drive, entry, { ...readingOf(asked), onFirstRows })
  onRead?.(task)
  return await asked.writer.write(task)
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

/** The beginning can be shown while the whole is still found out, and on its way. */
async function* parts(firstRows: string, whole: Promise<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield new TextEncoder().encode(firstRows)
  yield await whole
}
