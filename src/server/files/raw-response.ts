import { type FilePath, nameOf } from '../../shared/file-path.ts'
import { SNIFF_BYTES } from '../../shared/file-type.ts'
import type { Drive } from '../drive/drive.ts'
import { isAppError } from '../../shared/errors.ts'
import type { Part } from '../../shared/file-part.ts'
import { sendFile, type ServedFile } from '../http/bytes.ts'
import { BYTES, contentTypeByHead, contentTypeOf } from './content-type.ts'
import { etagOf } from '../drive/etag.ts'

type OpenFile = Awaited<ReturnType<Drive['open']>>
type FileNow = NonNullable<ReturnType<Drive['readNow']>>

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

/** A short file that is in memory, without any wait; null for every other, and for a part of it. */
export function respondRawNow(drive: Drive, path: FilePath, { request, inline }: Pick<RawOptions, 'request' | 'inline'>): Response | null {
  if (request.headers.has('range')) return null
  const name = nameOf(path)
  const type = inline ? contentTypeOf(name) : BYTES
  const file = type instanceof Promise ? null : drive.readNow(path)
  if (type instanceof Promise || file === null) return null
  const { stat, bytes } = file
  return sendFile(request, inMemory(file), {
    name,
    inline,
    contentType: type ?? contentTypeByHead(bytes.subarray(0, SNIFF_BYTES)),
    etag: etagOf(stat),
  })
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

async function respondOpen(file: OpenFile, { request, inline, name, watched = false }: RawOptions & { name: string }): Promise<Response> {
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
