import { raw } from '../../shared/contract/raw.ts'
import { href } from '../../shared/contract/endpoint.ts'
import { type File, resources } from '../../shared/contract/resources.ts'
import { isAppError } from '../../shared/errors.ts'
import { type FilePath, joinPath, nameOf, parentOf } from '../../shared/file-path.ts'
import { numbered } from '../../shared/numbering.ts'
import { callsTo, send } from './client.ts'

const client = callsTo({ resources })

/** Names no version: what is there is not what was read. */
const ANOTHER = '"another"'

/**
 * The version of a file that has just been read, for `saveText`; null where the server does not say.
 * @param read as it was read: should it have changed in between, the answer names no version, and saving over it fails
 */
export async function readVersion(path: FilePath, read: File, { signal }: { signal: AbortSignal }): Promise<string | null> {
  const { ok, status, headers } = await send(href(raw.get, { params: { path } }), { method: 'HEAD', signal })
  // 202: no right to download (decision 9).
  if (!ok || status === 202) return null
  return isSame(read, headers) ? headers.get('etag') : ANOTHER
}

/**
 * Saves a text over a file that is there.
 * @param over the version it may take the place of; null for any. Over another one it fails with `precondition-failed`
 * @returns the version that is there now
 */
export async function saveText(path: FilePath, text: string, { over }: { over: string | null }): Promise<string | null> {
  const { headers } = await client.resources.save({ params: { path }, headers: { 'if-match': over ?? undefined }, body: text })
  return headers.get('etag')
}

/** Saves a text beside a file, under the first name that is free. @returns where it is */
export async function saveCopy(path: FilePath, text: string): Promise<FilePath> {
  for (let n = 1; ; n++) {
    const place = joinPath(parentOf(path), numbered(nameOf(path), n))
    try {
      await client.resources.upload({ params: { path: place }, query: { override: 'false' }, body: text })
      return place
    } catch (error) {
      if (!isAppError(error, 'already-exists')) throw error
    }
  }
}

/** To the second, which is all that HTTP's dates can tell. */
export function isSame({ modified, size }: Pick<File, 'modified' | 'size'>, headers: Headers): boolean {
  const date = Date.parse(headers.get('last-modified') ?? '')
  const length = headers.get('content-length')
  return (Number.isNaN(date) || date === Math.floor(Date.parse(modified) / 1000) * 1000) && (length === null || Number(length) === size)
}
