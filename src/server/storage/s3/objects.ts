import { createHash } from 'node:crypto'
import type { S3Answer, S3Client } from './client.ts'
import { isFailure } from './failures.ts'
import { encodeKey } from './keys.ts'
import { elements, fitsXml, textIn, xmlText } from './xml.ts'

export interface S3Object {
  readonly key: string
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970, in whole seconds: a listing of some services has more, an answer with the object has no more. */
  readonly modified: number
  /** Without quotes. */
  readonly etag: string
}

export interface S3Head extends S3Object {
  /** What we wrote to it: the id of the staged file that was published here; null for objects of other programs. */
  readonly staged: string | null
  /** Headers that a copy in parts has to repeat. */
  readonly kept: Readonly<Record<string, string>>
}

export interface S3Page {
  readonly objects: readonly S3Object[]
  /** Common beginnings of keys, up to the delimiter. */
  readonly prefixes: readonly string[]
}

export interface S3Objects {
  head(key: string, signal?: AbortSignal): Promise<S3Head | null>
  /** With `isNew`, fails with 412 if the service knows that condition and the key is used. */
  put(
    key: string,
    body: Uint8Array<ArrayBuffer>,
    options?: { isNew?: boolean; headers?: Readonly<Record<string, string>> },
  ): Promise<S3Answer>
  /** A copy of an object that one request can copy, with its metadata. Fails with 412 if the object has changed, or as `put` does. */
  copy(from: S3Object, to: string, options?: { isNew?: boolean; headers?: Readonly<Record<string, string>> }): Promise<S3Answer>
  remove(key: string): Promise<void>
  /** As few requests as the service allows. */
  removeMany(keys: readonly string[]): Promise<void>
  pages(prefix: string, options?: { flat?: boolean; most?: number; signal?: AbortSignal }): AsyncGenerator<S3Page, void>
  /** Whether any key begins like this. */
  isAny(prefix: string): Promise<boolean>
}

const PAGE_KEYS = 1000
/** The header in which rclone keeps the time of a file, in seconds since 1970; Satchel writes it for rclone. */
const MTIME = 'x-amz-meta-mtime'
const STAGED = 'x-amz-meta-satchel-staged'
/** Headers of an object that are not its metadata, and belong to it. */
const KEPT = /^(x-amz-meta-.*|content-type|content-encoding|content-disposition|content-language|cache-control)$/

/** Headers that tell where the content comes from. */
export function headersFor({ staged, modified }: { staged: string; modified?: number | undefined }): Record<string, string> {
  return { [STAGED]: staged, ...(modified !== undefined && { [MTIME]: String(modified / 1000) }) }
}

export function createS3Objects({ send }: S3Client, { bucket, parallel }: { bucket: string; parallel: number }): S3Objects {
  /** Some services have no removal of many objects in one request. */
  let hasRemoveMany = true

  async function removeEach(keys: readonly string[]): Promise<void> {
    await eachOf(keys, parallel, remove)
  }

  async function remove(key: string): Promise<void> {
    try {
      await send({ method: 'DELETE', key })
    } catch (error) {
      if (!isFailure(error, 404)) throw error
    }
  }

  async function removeBatch(keys: readonly string[]): Promise<void> {
    const body = `<Delete><Quiet>true</Quiet>${keys.map((key) => `<Object><Key>${xmlText(key)}</Key></Object>`).join('')}</Delete>`
    const headers = { 'content-md5': createHash('md5').update(body).digest('base64'), 'content-type': 'application/xml' }
    // With an error for a single key the answer counts as a failure, and the keys are removed one by one.
    await send({ method: 'POST', key: '', query: { delete: '' }, headers, body })
  }

  async function* pages(
    prefix: string,
    { flat = false, most = PAGE_KEYS, signal }: { flat?: boolean; most?: number; signal?: AbortSignal } = {},
  ): AsyncGenerator<S3Page, void> {
    let token: string | null = null
    do {
      signal?.throwIfAborted()
      const query: Record<string, string> = { 'list-type': '2', 'encoding-type': 'url', 'max-keys': String(most), prefix }
      if (!flat) query['delimiter'] = '/'
      if (token !== null) query['continuation-token'] = token
      const { text } = await send({ method: 'GET', key: '', query, signal })
      yield pageOf(text)
      token = textIn(text, 'IsTruncated') === 'true' ? textIn(text, 'NextContinuationToken') : null
    } while (token !== null)
  }

  return {
    async head(key, signal) {
      try {
        const { headers } = await send({ method: 'HEAD', key, signal })
        return headOf(key, headers)
      } catch (error) {
        if (isFailure(error, 404)) return null
        throw error
      }
    },
    put: (key, body, { isNew = false, headers = {} } = {}) =>
      send({ method: 'PUT', key, body, headers: { ...headers, ...(isNew && { 'if-none-match': '*' }) } }),
    copy: (from, to, { isNew = false, headers = {} } = {}) =>
      send({
        method: 'PUT',
        key: to,
        copies: from.size,
        headers: {
          ...headers,
          'x-amz-copy-source': `/${bucket}/${encodeKey(from.key)}`,
          'x-amz-copy-source-if-match': `"${from.etag}"`,
          ...(isNew && { 'if-none-match': '*' }),
        },
      }),
    remove,
    async removeMany(keys) {
      const single = keys.filter((key) => !hasRemoveMany || !fitsXml(key))
      const together = hasRemoveMany ? keys.filter(fitsXml) : []
      for (let at = 0; at < together.length; at += PAGE_KEYS) {
        const batch = together.slice(at, at + PAGE_KEYS)
        try {
          await removeBatch(batch)
        } catch (error) {
          if (isFailure(error, 400, 405, 501)) hasRemoveMany = false
          else if (!isFailure(error, 500)) throw error
          await removeEach(batch)
        }
      }
      await removeEach(single)
    },
    pages,
    async isAny(prefix) {
      for await (const { objects, prefixes } of pages(prefix, { flat: true, most: 1 })) return objects.length + prefixes.length > 0
      return false
    },
  }
}

export function headOf(key: string, headers: Headers): S3Head {
  return {
    key,
    size: Number(headers.get('content-length') ?? 0),
    modified: secondsOf(Date.parse(headers.get('last-modified') ?? '')),
    etag: bare(headers.get('etag') ?? ''),
    staged: headers.get(STAGED),
    kept: Object.fromEntries([...headers].filter(([name]) => KEPT.test(name))),
  }
}

function pageOf(xml: string): S3Page {
  const isEncoded = textIn(xml, 'EncodingType') === 'url'
  const keyIn = (text: string | null): string => (isEncoded ? decodeKey(text ?? '') : (text ?? ''))
  return {
    objects: elements(xml, 'Contents').map((row) => ({
      key: keyIn(textIn(row, 'Key')),
      size: Number(textIn(row, 'Size') ?? 0),
      modified: secondsOf(Date.parse(textIn(row, 'LastModified') ?? '')),
      etag: bare(textIn(row, 'ETag') ?? ''),
    })),
    prefixes: elements(xml, 'CommonPrefixes').map((row) => keyIn(textIn(row, 'Prefix'))),
  }
}

/** As in a query: a plus is a space. */
function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // Not UTF-8: a key that cannot be shown.
    return '\ud800'
  }
}

/** Both what a listing and what a single answer say of the time. */
function secondsOf(time: number): number {
  return Number.isFinite(time) ? Math.floor(time / 1000) * 1000 : 0
}

export function bare(etag: string): string {
  return etag.replace(/^W\//, '').replaceAll('"', '')
}

/** Runs work for each item, some at the same time; after a failure no more are begun, and the first failure is thrown when all have ended. */
export async function eachOf<T>(
  items: Iterable<T> | AsyncIterable<T>,
  parallel: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  for await (const item of items) {
    if (failures.length > 0) break
    const one: Promise<void> = work(item).then(
      () => void running.delete(one),
      (error: unknown) => {
        running.delete(one)
        failures.push(error)
      },
    )
    running.add(one)
    if (running.size >= parallel) await Promise.race(running)
  }
  await Promise.all(running)
  if (failures.length > 0) throw failures[0]
}
