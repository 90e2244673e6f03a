import { type FilePath, nameOf } from '../../shared/file-path.ts'
import { SNIFF_BYTES } from '../../shared/file-type.ts'
import type { Drive } from '../drive/drive.ts'
import type { Part } from '../../shared/file-part.ts'
import { sendFile, type ServedFile } from '../http/bytes.ts'
import { BYTES, contentTypeByHead, contentTypeOf } from './content-type.ts'
import { etagOf } from '../drive/etag.ts'

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
export async function respondRaw(
  drive: Drive,
  path: FilePath,
  { request, inline, name = nameOf(path), watched = false }: RawOptions,
): Promise<Response> {
  const file = await drive.open(path)
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
function inParts({ stat, descriptor, slice, stream, peek, close }: Awaited<ReturnType<Drive['open']>>): ServedFile {
  async function* parts(start: number, end: number): AsyncGenerator<Part> {
    if (descriptor !== null && slice !== undefined) yield { descriptor, start, end, peek }
    else for await (const chunk of stream(start, end)) yield chunk
  }
  return { stat, parts, stream, close }
}
