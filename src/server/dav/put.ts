import { fail, isAppError, nullOn } from '../../shared/errors.ts'
import { parentOf, ROOT } from '../../shared/file-path.ts'
import type { Entry } from '../drive/entry.ts'
import { etagOf, matchesEtag } from '../drive/etag.ts'
import { withStaged } from '../drive/with-staged.ts'
import { receiveBody } from '../files/receive-body.ts'
import type { DavCall } from './dav-call.ts'

type Stat = Entry['stat']

/**
 * PUT: a whole file, staged and published at once. The conditions of the request are checked before the first byte is read, and `If-Match` again by the
 * Drive when the file is replaced. `Content-Range` is refused with 400 (RFC 9110, section 14.5): a file must never be half old and half new.
 */
export async function putFile(call: DavCall): Promise<Response> {
  const { request, drive, path } = call
  const { headers } = request
  if (headers.has('content-range')) fail('invalid-input', { issues: ['content-range: partial PUT is not supported'] })
  const old = await expectFile(call)
  // macOS says how long a body is that it sends in chunks.
  const announced = headers.get('content-length') ?? headers.get('x-expected-entity-length')
  const expected = announced === null || !/^\d+$/.test(announced) ? undefined : Number(announced)
  const stored = await withStaged(
    drive,
    path,
    async (staged) => {
      const body = expected === undefined || headers.has('content-length') ? request.body : upTo(request.body, expected)
      await receiveBody(staged, { request, body: call.dialect === undefined ? body : call.dialect.checked(request, body) })
      const size = expected === undefined ? null : await staged.size()
      if (size !== null && size !== expected) fail('invalid-input', { issues: ['body: shorter than announced'] })
      return publish(call, staged, { old })
    },
    { announced: expected },
  )
  return new Response(null, {
    status: old === null ? 201 : 204,
    headers: { etag: etagOf(stored), ...call.dialect?.storedHeaders(stored, request) },
  })
}

/** Fails if a file cannot be stored now with the conditions of the request. @returns what is there; null if nothing */
export async function expectFile(call: DavCall): Promise<Stat | null> {
  const { drive, path, actor, request } = call
  const { headers } = request
  await drive.renew()
  if (!drive.may('create', path) && !drive.may('modify', path)) fail('forbidden', { right: 'create' })
  const old = await nullOn('not-found', drive.stat(path))
  if (path === ROOT || old?.stat.kind === 'folder') fail('method-not-allowed', { allow: [] })
  if (old === null) await expectNew(call)
  else if (!(await drive.rights(path)).modify) fail('forbidden', { right: 'modify' })
  refuseConditions(headers, old?.stat ?? null)
  await call.guard.expect({ user: actor, access: drive.access, path, isNew: old === null })
  return old?.stat ?? null
}

/** Room is reserved for what was announced: a body that goes on is refused at its first byte too many. */
function upTo(body: ReadableStream<Uint8Array> | null, most: number): ReadableStream<Uint8Array> | null {
  let count = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      count += chunk.length
      if (count > most) fail('invalid-input', { issues: ['body: longer than announced'] })
      controller.enqueue(chunk)
    },
  })
  return body?.pipeThrough(counting) ?? null
}

type StagedFile = Parameters<DavCall['drive']['put']>[1]

/** Publishes what was received, with the conditions of the request. */
export async function publish(
  { drive, path, request, dialect }: DavCall,
  staged: StagedFile,
  { old }: { old: Stat | null },
): Promise<Stat> {
  const modified = dialect?.modifiedOf(request)
  const ifMatch = request.headers.get('if-match') ?? undefined
  // A file that was empty, as some clients make it first, needs no version of its own.
  const replace = (asVersion: boolean) => drive.save(path, staged, { ifMatch, asVersion, modified })
  if (old !== null) {
    const saved = await nullOn('not-found', replace(old.size > 0))
    if (saved !== null) return saved
    if (ifMatch !== undefined) fail('precondition-failed', { path })
  }
  try {
    return await drive.put(path, staged, { replace: false, ...(modified !== undefined && { modified }) })
  } catch (error) {
    // Somebody was faster.
    if (!isAppError(error, 'already-exists') || request.headers.has('if-none-match')) throw error
    return replace(true)
  }
}

/** Fails with the reason why a new file cannot be there: first the right, then the folder, which must exist (RFC 4918, section 9.7.1). */
async function expectNew({ drive, path }: DavCall): Promise<void> {
  await drive.expect(path, { replace: false })
  const parent = await nullOn('not-found', drive.stat(parentOf(path)))
  if (parent?.stat.kind !== 'folder') fail('already-exists', { path: parentOf(path) })
}

function refuseConditions(headers: Headers, stat: Stat | null): void {
  const [match, noneMatch] = [headers.get('if-match'), headers.get('if-none-match')]
  const since = Date.parse(headers.get('if-unmodified-since') ?? '')
  const etag = stat === null ? null : etagOf(stat)
  if (match !== null && (etag === null || !matchesEtag(match, etag))) fail('precondition-failed', {})
  // Weak tags count here (RFC 9110, section 13.1.2).
  if (noneMatch !== null && etag !== null && matchesEtag(noneMatch.replaceAll('W/', ''), etag)) fail('precondition-failed', {})
  if (match === null && stat !== null && Math.floor(stat.modified / 1000) * 1000 > since) fail('precondition-failed', {})
}
