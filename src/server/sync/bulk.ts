import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'
import { createKeyedMutex } from '../../shared/keyed-mutex.ts'
import type { Viewer } from '../access/viewer.ts'
import type { DavCall, Dialect } from '../dav/dav-call.ts'
import { putFile } from '../dav/put.ts'
import { callFrom, type DavDeps } from '../dav/routes.ts'
import type { Context } from '../http/router.ts'
import { openByteReader } from '../uploads/byte-reader.ts'
import { boundaryOf, type Part, partsOf } from './multipart.ts'

/** An upload without a byte for this long is aborted. */
const STALL_MS = 60_000
/** Clients send a hundred. */
const MAX_FILES = 500
/** Of one file. Clients send those below 5 MB, others in chunks. */
const MAX_FILE_BYTES = 8 * 1024 ** 2
/** Files that are stored at the same time, and their bytes, unless one alone has more. */
const FILES_AT_ONCE = 16
const BYTES_AT_ONCE = 4 * 1024 ** 2

/** Requests of one person at the same time, because each holds some files in memory; clients send one. */
const MOST_AT_ONCE = 4

export interface BulkDeps extends DavDeps {
  /** How many are underway, by account. */
  readonly underway: Map<number, number>
}

/** What clients read of each file. */
type Told = Readonly<Record<string, string | boolean>>

/**
 * `POST /remote.php/dav/bulk`: many small files in one request, each as if it had a PUT of its own, with that one's conditions, checksum and time. The
 * answer says of each, by its path as it was sent, what became of it. If the client goes away, the files before are complete and the others absent.
 */
export async function handleBulk(deps: BulkDeps, c: Context, { viewer, dialect }: { viewer: Viewer; dialect: Dialect }): Promise<Response> {
  const { request } = c
  const { underway } = deps
  if (request.method !== 'POST') fail('method-not-allowed', { allow: [] })
  const boundary = boundaryOf(request)
  const count = underway.get(viewer.userId) ?? 0
  if (count >= MOST_AT_ONCE) fail('too-many-requests', { retryAfterSeconds: 1 })
  underway.set(viewer.userId, count + 1)
  using _ended = { [Symbol.dispose]: () => leave(underway, viewer.userId) }
  await using body = openByteReader(request.body, { signal: request.signal, stallMs: STALL_MS })
  const told = new Map<string, Told>()
  const inOrder = createKeyedMutex()
  const stored: Promise<unknown>[] = []
  const running = new Map<Promise<unknown>, number>()
  const bytesRunning = (): number => [...running.values()].reduce((sum, bytes) => sum + bytes, 0)
  try {
    for await (const part of partsOf(body, boundary, { parts: MAX_FILES, bytes: MAX_FILE_BYTES })) {
      const sent = part.headers.get('x-file-path') ?? ''
      const { length } = part.content
      while (running.size >= FILES_AT_ONCE || (running.size > 0 && bytesRunning() + length > BYTES_AT_ONCE))
        await Promise.race(running.keys())
      const one = inOrder(sent, async () => told.set(sent, await storedPart(deps, c, { viewer, dialect, part, sent })))
      stored.push(one)
      running.set(one, length)
      one.finally(() => running.delete(one)).catch(() => undefined)
    }
    await Promise.all(stored)
  } finally {
    await Promise.allSettled(stored)
  }
  return Response.json(Object.fromEntries(told))
}

function leave(underway: Map<number, number>, userId: number): void {
  const left = (underway.get(userId) ?? 1) - 1
  if (left === 0) underway.delete(userId)
  else underway.set(userId, left)
}

interface Storing {
  readonly viewer: Viewer
  readonly dialect: Dialect
  readonly part: Part
  readonly sent: string
}

/** Failures of one file are told; the client tries it by a request of its own. */
async function storedPart(deps: DavDeps, c: Context, { part, sent, ...who }: Storing): Promise<Told> {
  try {
    const stored = await putFile(callOf(deps, c, { ...who, part, path: fileAt(sent) }))
    const [etag, id, modified] = ['etag', 'oc-fileid', 'x-oc-mtime'].map((name) => stored.headers.get(name) ?? '')
    return { error: false, etag: etag ?? '', 'OC-FileID': id ?? '', 'X-OC-MTime': modified ?? '' }
  } catch (error) {
    // Of somebody who has been signed out meanwhile, nothing more is stored.
    if (!isAppError(error) || error.code === 'sign-in-needed') throw error
    return { error: true, message: error.code }
  }
}

function callOf(deps: DavDeps, c: Context, { viewer, dialect, part, path }: Omit<Storing, 'sent'> & { readonly path: FilePath }): DavCall {
  const mount = { at: '/remote.php/dav/bulk', dialect }
  const { url, signal } = c.request
  const headers = new Headers({ 'content-length': String(part.content.length) })
  for (const name of ['if-match', 'if-none-match', 'oc-checksum', 'x-oc-mtime']) {
    const value = part.headers.get(name)
    if (value !== undefined) headers.set(name, value)
  }
  const modified = part.headers.get('x-file-mtime')
  if (modified !== undefined) headers.set('x-oc-mtime', modified)
  const md5 = part.headers.get('x-file-md5')
  if (md5 !== undefined) headers.set('oc-checksum', `MD5:${md5}`)
  const request = new Request(url, { method: 'PUT', headers, body: part.content, signal })
  return { ...callFrom(deps, c, { viewer, tokens: [], mount, path }), request }
}

function fileAt(sent: string): FilePath {
  return sent === '' || sent.endsWith('/') ? fail('invalid-input', { issues: ['x-file-path: not a file'] }) : parseFilePath(sent)
}
