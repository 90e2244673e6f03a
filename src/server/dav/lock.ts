import { fail, isAppError, nullOn } from '../../shared/errors.ts'
import { type FilePath, parentOf } from '../../shared/file-path.ts'
import { withStaged } from '../drive/with-staged.ts'
import { readText } from '../http/mount.ts'
import { type DavCall, hrefOf } from './dav-call.ts'
import { depthOf, lockIdIn, lockSecondsOf, lockTokenOf } from './dav-headers.ts'
import { lockDiscovery } from './live-properties.ts'
import type { Lock } from './lock-store.ts'
import type { LockRequest } from './locks.ts'
import { conditionResponse, XML_TYPE } from './multistatus.ts'
import { davChild, isDav, parseXml, serializeXml } from './parse-xml.ts'
import { escapeXml, XML_HEAD } from './xml.ts'

const MAX_LOCK_XML_BYTES = 16 * 1024
/** What a client says about the owner of its lock. */
const MAX_OWNER_CHARS = 512

/**
 * LOCK: makes a lock, or refreshes one if there is no body. Where nothing is yet, an empty file is created (RFC 4918, section 9.10.4). Needs `modify`, or
 * `create` for a new file.
 */
export async function lock(call: DavCall): Promise<Response> {
  const { request, drive, path, viewer, actor } = call
  const text = await readText(request, MAX_LOCK_XML_BYTES)
  if (text.trim() === '') return refresh(call)
  const depth = depthOf(request, { allowed: ['0', 'infinity'], absent: 'infinity' })
  const asked: LockRequest = { ...readRequest(text), deep: depth === 'infinity', seconds: lockSecondsOf(request) }
  await call.locks.expect(drive, path, asked)
  const old = await nullOn('not-found', drive.stat(path))
  if (old === null) {
    await expectNew(drive, path)
    await call.guard.expect({ user: actor, access: drive.access, path, isNew: true })
  }
  const made = await call.locks.acquire(drive, path, { ...asked, viewer })
  if (Array.isArray(made)) return conditionResponse(423, 'no-conflicting-lock', hrefElement(call, path))
  try {
    if (old === null) await createEmpty(call, made)
  } catch (error) {
    await call.locks.remove(made.id)
    throw error
  }
  return respondLock(call, made, { status: old === null ? 201 : 200 })
}

async function expectNew(drive: DavCall['drive'], path: FilePath): Promise<void> {
  await drive.expect(path, { replace: false })
  const parent = await nullOn('not-found', drive.stat(parentOf(path)))
  if (parent?.stat.kind !== 'folder') fail('already-exists', { path: parentOf(path) })
}

async function createEmpty({ changingWith, path }: DavCall, { id }: Lock): Promise<void> {
  const drive = changingWith(id)
  await withStaged(drive, path, async (staged) => {
    await staged.append(new Uint8Array())
    try {
      await drive.put(path, staged, { replace: false })
    } catch (error) {
      // Somebody was faster: the lock is for what is there now.
      if (!isAppError(error, 'already-exists')) throw error
      await staged.discard()
    }
  })
}

/** The lock whose token is in the header `If`. */
async function refresh(call: DavCall): Promise<Response> {
  const { drive, path, actor, viewer } = call
  await drive.stat(path)
  const mine = (await call.locks.covering(drive, path)).find(
    ({ id, userId }) => userId === viewer.userId && actor.lockTokens?.has(id) === true,
  )
  if (mine === undefined) return conditionResponse(412, 'lock-token-matches-request-uri')
  await call.locks.expect(drive, path, mine)
  return respondLock(call, await call.locks.refresh(mine, lockSecondsOf(call.request)), { status: 200, isOld: true })
}

/** UNLOCK, by the holder only. */
export async function unlock(call: DavCall): Promise<Response> {
  const { request, drive, path, viewer } = call
  const sent = /^\s*<([^<>]*)>\s*$/.exec(request.headers.get('lock-token') ?? '')?.[1]
  if (sent === undefined) return fail('invalid-input', { issues: ['lock-token: missing'] })
  if (!drive.canSee(path)) fail('not-found', { path })
  const found = (await call.locks.covering(drive, path)).find(({ id }) => id === lockIdIn(sent))
  if (found === undefined) return conditionResponse(409, 'lock-token-matches-request-uri')
  if (found.userId !== viewer.userId) fail('forbidden', { right: 'modify' })
  // An API token with less rights than its person.
  if (viewer.token !== undefined && !drive.may('modify', path)) fail('forbidden', { right: 'modify' })
  await call.locks.remove(found.id)
  return new Response(null, { status: 204 })
}

async function respondLock(call: DavCall, one: Lock, { status, isOld = false }: { status: number; isOld?: boolean }): Promise<Response> {
  const { drive, path } = call
  const place = await call.locks.placeOf(drive, path)
  const discovery = lockDiscovery(path, { call, place, locks: [one] })
  return new Response(`${XML_HEAD}<D:prop xmlns:D="DAV:">${discovery}</D:prop>\n`, {
    status,
    headers: { 'content-type': XML_TYPE, ...(!isOld && { 'lock-token': `<${lockTokenOf(one.id)}>` }) },
  })
}

function readRequest(text: string): Pick<LockRequest, 'exclusive' | 'owner'> {
  const root = parseXml(text)
  const scope = isDav(root, 'lockinfo') ? davChild(root, 'lockscope') : null
  const type = davChild(root, 'locktype')
  const isExclusive = scope !== null && davChild(scope, 'exclusive') !== null
  const isShared = scope !== null && davChild(scope, 'shared') !== null
  if (isExclusive === isShared || type === null || davChild(type, 'write') === null)
    return fail('invalid-input', { issues: ['body: not a lockinfo for a write lock'] })
  const owner = davChild(root, 'owner')
  const told = owner === null ? '' : serializeXml(owner)
  if (told.length > MAX_OWNER_CHARS) fail('too-large', { limit: MAX_OWNER_CHARS })
  return { exclusive: isExclusive, owner: told }
}

export function hrefElement(call: DavCall, path: FilePath): string {
  return `<D:href>${escapeXml(hrefOf(call, path, { isFolder: false }))}</D:href>`
}
