import { type FilePath, nameOf } from '../../shared/file-path.ts'
import { SNIFF_BYTES } from '../../shared/file-type.ts'
import type { Drive } from '../drive/drive.ts'
import { isAppError } from '../../shared/errors.ts'
import type { Part } from '../../shared/file-part.ts'
import { sendFile, type ServedFile } from '../http/bytes.ts'
import { BYTES, contentTypeByHead, contentTypeOf } from './content-type.ts'
import { etagOf } from '../drive/etag.ts'

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
