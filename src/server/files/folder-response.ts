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

/** A folder, whole. */
export async function respondFolder(drive: Drive, entry: Entry, wish: FolderWish): Promise<Response> {
  const { writer, form } = wish
  const task = await readFolder(drive, entry, readingOf(wish))
  return respondJson({ ...wish, bytes: await writer.write(task), mediaType: form === 'rows' ? ROWS_MEDIA_TYPE : 'application/json' })
}

/** A folder as rows; of a long one the beginning, as soon as that is known, and then the whole. */
export async function respondFolderInParts(drive: Drive, entry: Entry, wish: FolderWish): Promise<Response> {
  const { writer } = wish
  const begun = Promise.withResolvers<string>()
  const task = readFolder(drive, entry, { ...readingOf(wish), onBeginning: begun.resolve })
  const early = await Promise.race([begun.promise, task])
  const whole = task.then((known) => writer.write(known))
  const beginning = typeof early === 'string' ? early : beginningText(early)
  if (beginning === null) return respondJson({ ...wish, bytes: await whole, mediaType: ROWS_MEDIA_TYPE })
  // Whoever leaves after the beginning does not hear how the rest went.
  whole.catch(() => undefined)
  return respondSequence(parts(beginning, whole), { ...wish, mediaType: ROWS_SEQUENCE_MEDIA_TYPE })
}

function readingOf({ request, writer, form, sorting, asked, typeDetectionByHeader, more }: FolderWish): Parameters<typeof readFolder>[2] {
  return { form, sorting, asked, typeDetectionByHeader, more, signal: request.signal, order: writer.order }
}

/** The beginning can be shown while the whole is still found out, and on its way. */
async function* parts(beginning: string, whole: Promise<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield new TextEncoder().encode(beginning)
  yield await whole
}
