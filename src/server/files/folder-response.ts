import { ROWS_MEDIA_TYPE, ROWS_SEQUENCE_MEDIA_TYPE } from '../../shared/contract/resources.ts'
import type { Sorting } from '../../shared/contract/users.ts'
import type { Drive, Entry } from '../drive/drive.ts'
import { respondJson } from './encoding.ts'
import { beginningText, type FolderHead, type FolderTask } from './folder-text.ts'
import type { FolderWriter } from './folder-writer.ts'
import { readFolder } from './listing.ts'
import { respondSequence } from './sequence-response.ts'

export interface FolderWish {
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
export async function respondFolder(drive: Drive, entry: Entry, wish: FolderWish): Promise<Response> {
  const bytes = await writeFolder(drive, entry, { wish })
  return respondJson({ ...wish, bytes, mediaType: wish.form === 'rows' ? ROWS_MEDIA_TYPE : 'application/json' })
}

/** A folder as rows; of a long one the beginning, as soon as that is known, and then the whole. */
export async function respondFolderInParts(drive: Drive, entry: Entry, wish: FolderWish): Promise<Response> {
  const begun = Promise.withResolvers<string | null>()
  let isEarly = false
  const whole = writeFolder(drive, entry, {
    wish,
    onBeginning(text) {
      isEarly = true
      begun.resolve(text)
    },
    onRead: (task) => isEarly || begun.resolve(beginningText(task)),
  })
  // Whoever leaves after the beginning does not hear how the rest went.
  whole.catch(begun.reject)
  const beginning = await begun.promise
  if (beginning === null) return respondJson({ ...wish, bytes: await whole, mediaType: ROWS_MEDIA_TYPE })
  return respondSequence(parts(beginning, whole), { ...wish, mediaType: ROWS_SEQUENCE_MEDIA_TYPE })
}

interface Writing {
  readonly wish: FolderWish
  readonly onBeginning?: (text: string) => void
  /** Hears what is going to be written. */
  readonly onRead?: (task: FolderTask) => void
}

/** Long folders take turns: what one of them takes up while it is read and written is many times its answer (R17). */
async function writeFolder(drive: Drive, entry: Entry, { wish, onBeginning, onRead }: Writing): Promise<Uint8Array<ArrayBuffer>> {
  using _ = entry.stat.size > LONG_FOLDER_BYTES ? await wish.writer.takeTurn(wish.request.signal) : null
  const task = await readFolder(drive, entry, { ...readingOf(wish), onBeginning })
  onRead?.(task)
  return await wish.writer.write(task)
}

function readingOf({ request, writer, form, sorting, asked, typeDetectionByHeader, more }: FolderWish): Parameters<typeof readFolder>[2] {
  return { form, sorting, asked, typeDetectionByHeader, more, signal: request.signal, order: writer.order }
}

/** The beginning can be shown while the whole is still found out, and on its way. */
async function* parts(beginning: string, whole: Promise<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield new TextEncoder().encode(beginning)
  yield await whole
}
