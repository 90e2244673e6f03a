import { fail } from '../../shared/errors.ts'
import { type FilePath, joinPath, ROOT } from '../../shared/file-path.ts'
import type { Viewer } from '../access/viewer.ts'
import type { DavCall, Dialect } from '../dav/dav-call.ts'
import { pathInUri } from '../dav/destination.ts'
import { type ConditionList, submittedTokens } from '../dav/if-header.ts'
import { refuseUnlessIf } from '../dav/if-state.ts'
import { multistatus, responseElement } from '../dav/multistatus.ts'
import { expectFile, publish } from '../dav/put.ts'
import { callFrom, type DavDeps } from '../dav/routes.ts'
import { etagOf } from '../drive/etag.ts'
import type { Context } from '../http/router.ts'
import type { ChunkSums } from './chunk-sums.ts'
import { sumIn } from './upload-headers.ts'
import { appendPiece, beginPieces, cancelPieces, type PiecesDeps, piecesOf, type PiecesTarget, publishPieces } from '../uploads/pieces.ts'

export interface ChunksDeps extends DavDeps {
  readonly pieces: PiecesDeps
  readonly chunkSums: ChunkSums
}

/** Who sends something to `/remote.php/dav/uploads/USER/NAME/PART`. */
export interface ChunkRequest {
  readonly viewer: Viewer
  readonly lists: readonly ConditionList[]
  /** As they were sent. */
  readonly user: string
  readonly name: string
  /** A number or `.file`; empty for the upload itself. */
  readonly part: string
  readonly dialect: Dialect
}

const MAX_NUMBER = 1e15

/**
 * Uploads in chunks: a folder is made (MKCOL), numbered chunks are put into it, and `.file` is moved to where the file is going to be. The chunks are staged as
 * one file, so that nothing is copied in the end; they have to come in the order of their numbers, as clients send them.
 */
export async function handleChunks(deps: ChunksDeps, c: Context, asked: ChunkRequest): Promise<Response> {
  const { viewer, name, part, user, lists, dialect } = asked
  const { request } = c
  if (!/^[\w.-]{1,200}$/.test(name)) fail('not-found', {})
  const files = { at: `/remote.php/dav/files/${user}`, dialect }
  const call = callFrom(deps, c, { viewer, tokens: submittedTokens(lists), mount: files, path: ROOT })
  const target: PiecesTarget = { userId: viewer.userId, key: `sync ${viewer.token?.id ?? ''}:${name}` }
  const { pieces, chunkSums } = deps
  const { method } = request
  const sumKey = sumKeyOf(target)

  if (part === '' && method === 'MKCOL') {
    const near = destinationIn(call) ?? joinPath(ROOT, `${name.replace(/^\.+/, '')}.uploading`)
    chunkSums.forget(sumKey)
    await beginPieces(pieces, call.drive, { ...target, near, total: totalIn(request) })
    return new Response(null, { status: 201 })
  }
  if (part === '' && method === 'PROPFIND') {
    const base = `${deps.baseUrl}/remote.php/dav/uploads/${user}/${name}/`
    const folder = responseElement(base, [{ status: 200, properties: ['<D:resourcetype><D:collection/></D:resourcetype>'] }])
    const chunks = (await piecesOf(pieces, target)).map(({ number, size }) =>
      responseElement(base + String(number), [
        { status: 200, properties: ['<D:resourcetype/>', `<D:getcontentlength>${size}</D:getcontentlength>`] },
      ]),
    )
    return multistatus(folder + chunks.join(''), dialect.restyle)
  }
  if (part === '' && method === 'DELETE') {
    await cancelPieces(pieces, call.drive, target)
    return new Response(null, { status: 204 })
  }
  if (method === 'PUT' && /^\d{1,16}$/.test(part) && Number(part) < MAX_NUMBER) {
    const length = request.headers.get('content-length')
    const size = length === null || !/^\d+$/.test(length) ? null : Number(length)
    const chunk = chunkSums.follow(sumKey, request.body)
    const piece = { ...target, number: Number(part), size, body: chunk.body, client: request.signal }
    chunk.stored(await appendPiece(pieces, call.drive, piece))
    return new Response(null, { status: 201 })
  }
  if (method === 'MOVE' && part === '.file') {
    const path = destinationIn(call) ?? fail('invalid-input', { issues: ['destination: missing'] })
    return publishAt(deps, { ...call, path, request: withIfMatch(call, path, lists) }, { target, lists })
  }
  return fail('method-not-allowed', { allow: [] })
}

async function publishAt(
  { pieces, chunkSums }: ChunksDeps,
  call: DavCall,
  { target, lists }: { target: PiecesTarget; lists: readonly ConditionList[] },
): Promise<Response> {
  if (lists.length > 0) await refuseUnlessIf(call, lists)
  const old = await expectFile(call)
  const { request, dialect } = call
  const [total, sent, sumKey] = [totalIn(request), sumIn(request.headers), sumKeyOf(target)]
  let digest: string | null = null
  try {
    const stored = await publishPieces(pieces, call.drive, target, (staged, size) => {
      if (total !== null && size !== total) fail('invalid-input', { issues: ['oc-total-length: not what has arrived'] })
      digest = sent?.kind === 'SHA256' ? chunkSums.digestOf(sumKey, size) : null
      if (digest !== null && digest !== sent?.sum) fail('invalid-input', { issues: ['chunks: their checksum is another one'] })
      return publish(call, staged, { old })
    })
    chunkSums.forget(sumKey)
    // What was not compared is not told as known.
    const told = digest === null ? withoutSum(request) : request
    return new Response(null, {
      status: old === null ? 201 : 204,
      headers: { etag: etagOf(stored), ...dialect?.storedHeaders(stored, told) },
    })
  } catch (error) {
    // The client sends all of it again.
    if (digest !== null && digest !== sent?.sum) await cancelPieces(pieces, call.drive, target)
    throw error
  }
}

function sumKeyOf({ userId, key }: PiecesTarget): string {
  return `${userId} ${key}`
}

function withoutSum({ url, method, headers, signal }: Request): Request {
  const others = new Headers(headers)
  others.delete('oc-checksum')
  return new Request(url, { method, headers: others, signal })
}

/** Null if the client does not say it. */
function destinationIn(call: DavCall): FilePath | null {
  const sent = call.request.headers.get('destination')
  if (sent === null) return null
  const path = pathInUri(sent.trim(), call)
  return path === null || path === ROOT ? fail('invalid-input', { issues: ['destination: not a file of this person'] }) : path
}

function totalIn({ headers }: Request): number | null {
  const sent = headers.get('oc-total-length')
  return sent === null || !/^\d{1,15}$/.test(sent) ? null : Number(sent)
}

/** A condition of `If` about the destination counts again when the file is published, as `If-Match` does. */
function withIfMatch(call: DavCall, path: FilePath, lists: readonly ConditionList[]): Request {
  const [list, ...others] = lists.filter(({ resource }) => resource !== null && pathInUri(resource, call) === path)
  const etag = list?.conditions.find((one) => !one.not && one.etag !== undefined)?.etag
  if (etag === undefined || others.length > 0) return call.request
  const headers = new Headers(call.request.headers)
  headers.set('if-match', etag)
  return new Request(call.request.url, { method: call.request.method, headers, signal: call.request.signal })
}
