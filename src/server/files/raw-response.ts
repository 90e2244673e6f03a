import { type FilePath, nameOf } from '../../shared/file-path.ts'
import { SNIFF_BYTES } from '../../shared/file-type.ts'
import type { Drive } from '../drive/drive.ts'
import { isAppError } from '../../shared/errors.ts'
import type { Part } from '../../shared/file-part.ts'
import { sendFile, type ServedFile } from '../http/bytes.ts'
import type { SendOptions } from '../http/file-headers.ts'
import { BYTES, contentTypeByHead, contentTypeOf } from './content-type.ts'
import { etagOf } from '../drive/etag.ts'
import type { FileNow } from '../drive/read-now.ts'

type OpenFile = Awaited<ReturnType<Drive['open']>>

export interface RawOptions {
  request: Request
  /** Shown in the browser instead of saved. */
  inline: boolean
  /** The name for saving; by default that of the path. */
  name?: string | undefined
  /** Whether progress is observed (`watchBody`). */
  watched?: boolean
}

/** A file as bytes; anything else is `not-found`. */
export async function respondRaw(drive: Drive, path: FilePath, options: RawOptions): Promise<Response> {
  return respondOpen(await drive.open(path), { ...options, name: options.name ?? nameOf(path) })
}

/** A short file that was read without a wait; null while the type that its name stands for is still being looked up. */
export function respondNow(file: FileNow, path: FilePath, { request, inline }: Pick<RawOptions, 'request' | 'inline'>): Response | null {
  const before = told.get(file.stat)
  const options = before?.inline === inline ? before : optionsOf(file, path, inline)
  return options && sendFile(request, inMemory(file), options)
}

/** What is told of files that are still the same: a `stat` that is the same object says so. */
const told = new WeakMap<FileNow['stat'], SendOptions>()

function optionsOf({ stat, bytes }: FileNow, path: FilePath, inline: boolean): SendOptions | null {
  const name = nameOf(path)
  const type = inline ? contentTypeOf(name) : BYTES
  if (type instanceof Promise) return null
  const options = { name, inline, contentType: type ?? contentTypeByHead(bytes.subarray(0, SNIFF_BYTES)), etag: etagOf(stat) }
  if (type !== null) told.set(stat, options)
  return options
}

function inMemory({ stat, bytes }: FileNow): ServedFile {
  return {
    stat,
    readNow: (start, end) => bytes.subarray(start, end),
    stream: (start, end) => new Blob([bytes.subarray(start, end)]).stream(),
    close: async () => undefined,
  }
}

/** The same where a folder is not a failure but null. */
export async function respondRawUnlessFolder(drive: Drive, path: FilePath, options: RawOptions): Promise<Response | null> {
  try {
    return await respondRaw(drive, path, options)
  } catch (error) {
    // Most paths are those of files, which are looked at only once.
    if (isAppError(error) && (await drive.stat(path)).stat.kind === 'folder') return null
    throw error
  }
}

/** A file that is open as bytes; it is closed when they are sent. */
export async function respondOpen(
  file: OpenFile,
  { request, inline, name, watched = false }: RawOptions & { name: string },
): Promise<Response> {
  const head = async () => contentTypeByHead(await file.peek(0, SNIFF_BYTES))
  const contentType = inline ? ((await contentTypeOf(name)) ?? (await head().catch(() => BYTES))) : BYTES
  return sendFile(request, watched || file.slice === undefined ? inParts(file) : file, {
    name,
    inline,
    contentType,
    etag: etagOf(file.stat),
  })
}

/** Sent by us instead of the runtime, which reports no progress and waits for slow disks in this thread. */
function inParts({ stat, descriptor, slice, stream, peek, close }: OpenFile): ServedFile {
  async function* parts(start: number, end: number): AsyncGenerator<Part> {
    if (descriptor !== null && slice !== undefined) yield { descriptor, start, end, peek }
    else for await (const chunk of stream(start, end)) yield chunk
  }
  return { stat, parts, stream, close }
}
