import { isAppError } from '../shared/errors.ts'
import { parseFilePath } from '../shared/file-path.ts'
import { createRetry, type Patience } from './retry.ts'
import type { Satchel } from './satchel.ts'

const CHUNK_BYTES = 16 * 1024 * 1024
const TUS = { 'tus-resumable': '1.0.0' }

export interface UploadOptions extends Patience {
  /** Replaces a file at that path. Without it, a file there is the error `already-exists`. */
  replace?: boolean
  /** Names the upload, up to 64 letters, digits, `-` and `_`: with the same name and data, another program continues it within a day. */
  name?: string
  /** When the file was last changed, in milliseconds since 1970; by default that of a `File`. */
  modified?: number
  /** Bytes in one request: what is lost at most with a connection, and the pace of `onProgress`; 16 MiB by default. */
  chunkBytes?: number
  onProgress?: (sentBytes: number, totalBytes: number) => void
}

/**
 * Uploads a file, by tus 1.0.0. After a lost connection it continues where the server is. The file appears at its path when all of it has arrived.
 * @param data a `Blob` is read piece by piece: in a page a `File`, in Node `await openAsBlob(path)`, in Bun `Bun.file(path)`
 */
export async function upload(
  satchel: Satchel,
  path: string,
  data: Blob | Uint8Array<ArrayBuffer>,
  options: UploadOptions = {},
): Promise<void> {
  const { name = randomName(), replace = false, chunkBytes = CHUNK_BYTES, onProgress, signal } = options
  const file = data instanceof Blob ? data : new Blob([data])
  const params = { path: parseFilePath(path) }
  const retry = createRetry(options)
  let at: number | null = null
  let isLost = false
  while (at === null || at < file.size) {
    try {
      const before: number | null = at
      at = isLost ? await offset() : at === null ? await begun() : await appended(at)
      isLost = false
      if (at === null || at === before) continue
      retry.progressed()
      onProgress?.(at, file.size)
    } catch (error) {
      await retry.failed(error)
      isLost = true
    }
  }

  async function begun(): Promise<number> {
    const headers = { 'upload-length': String(file.size), 'upload-metadata': stamp() }
    const query = { upload: name, ...(replace && { override: 'true' }) }
    return offsetIn(await satchel.tus.create({ params, query, headers }, { signal, headers: TUS }))
  }

  async function appended(from: number): Promise<number> {
    const headers = { 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' }
    const body = file.slice(from, from + chunkBytes)
    return offsetIn(await satchel.tus.append({ params, query: { upload: name }, headers, body }, { signal, headers: TUS }))
  }

  /** Also of an upload that was finished by a request whose answer was lost; null if there is none yet. */
  async function offset(): Promise<number | null> {
    try {
      return offsetIn(await satchel.tus.offset({ params, query: { upload: name } }, { signal, headers: TUS }))
    } catch (error) {
      // An answer to HEAD has no body that says more.
      if (isAppError(error, 'unexpected') && error.detail.incident === '404') return null
      throw error
    }
  }

  /** By it the server knows that it is the same file (tus, Upload-Metadata). */
  function stamp(): string {
    const modified = options.modified ?? ('lastModified' in file && typeof file.lastModified === 'number' ? file.lastModified : null)
    const fields = {
      filename: params.path.slice(params.path.lastIndexOf('/') + 1),
      ...(modified !== null && { lastmodified: String(modified) }),
    }
    return Object.entries(fields)
      .map(([key, value]) => `${key} ${base64(value)}`)
      .join(',')
  }
}

/** `crypto.randomUUID` is missing in pages of plain HTTP. */
function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function offsetIn(response: Response): number {
  return Number(response.headers.get('upload-offset'))
}

function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
}
