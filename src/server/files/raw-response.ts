import { type FilePath, nameOf } from '../../shared/file-path.ts'
import { SNIFF_BYTES } from '../../shared/file-type.ts'
import type { Drive } from '../drive/drive.ts'
import { sendFile } from '../http/bytes.ts'
import { BYTES, contentTypeByHead, contentTypeOf } from './content-type.ts'
import { etagOf } from '../drive/etag.ts'

export interface RawOptions {
  request: Request
  /** Shown in the browser instead of saved. */
  inline: boolean
  /** The name it is saved under; that of the path when not said. */
  name?: string | undefined
  /** Whether somebody watches how far it gets (`watchBody`). */
  watched?: boolean
}

/** One file as bytes; what is no file is `not-found`. */
export async function respondRaw(
  drive: Drive,
  path: FilePath,
  { request, inline, name = nameOf(path), watched = false }: RawOptions,
): Promise<Response> {
  const file = await drive.open(path)
  const head = async () => contentTypeByHead(await file.peek(0, SNIFF_BYTES))
  const contentType = inline ? (contentTypeOf(name) ?? (await head().catch(() => BYTES))) : BYTES
  const { stat, stream, close } = file
  return sendFile(request, watched ? { stat, stream, close } : file, { name, inline, contentType, etag: etagOf(file.stat) })
}
