import { fail } from '../../shared/errors.ts'
import { decodeFilePath, type FilePath } from '../../shared/file-path.ts'
import { type AccessChanges, createLatest } from '../access/latest.ts'
import type { Gesture, Viewer } from '../access/viewer.ts'
import type { DriveFor } from '../drive/drive-for.ts'
import { whenBodyStarted } from '../http/bytes.ts'
import { incidentFrom } from '../http/errors.ts'
import { OPERATION_HEADER } from '../../shared/contract/operation-header.ts'
import type { OwnOrigin } from '../http/own-origin.ts'
import type { Context, Router } from '../http/router.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { davActorOf } from './actor.ts'
import type { DavCall, DavParts, Dialect } from './dav-call.ts'
import { davErrorResponse, METHODS } from './dav-errors.ts'
import { lockIdIn } from './dav-headers.ts'
import { parseIf, submittedTokens } from './if-header.ts'
import { refuseUnlessIf } from './if-state.ts'
import { lock, unlock } from './lock.ts'
import { makeFolder } from './make-folder.ts'
import { propfind } from './propfind.ts'
import { proppatch } from './proppatch.ts'
import { putFile } from './put.ts'
import { readFile } from './read-file.ts'
import { remove } from './remove.ts'
import type { SignedIn } from './sign-in.ts'
import { transfer } from './transfer.ts'

export interface DavDeps extends DavParts {
  readonly driveFor: DriveFor
  readonly changes: AccessChanges
  readonly settings: SettingsReader
  readonly origins: OwnOrigin
  readonly signIn: (request: Request, address: string | null) => Promise<SignedIn>
  /** Base path of the server, without trailing slash. */
  readonly baseUrl: string
  readonly log: (line: string) => void
}

export type Handle = (call: DavCall) => Promise<Response>

const HANDLERS: Readonly<Record<string, Handle>> = {
  GET: readFile,
  HEAD: readFile,
  PUT: putFile,
  DELETE: remove,
  MKCOL: makeFolder,
  COPY: (call) => transfer(call, 'copy'),
  MOVE: (call) => transfer(call, 'move'),
  PROPFIND: propfind,
  PROPPATCH: proppatch,
  LOCK: lock,
  UNLOCK: unlock,
}

/** What only reads needs no gesture. */
const READING = new Set(['GET', 'HEAD', 'PROPFIND', 'REPORT'])

/**
 * WebDAV, classes 1, 2 and 3 (RFC 4918), at `/dav/`: the Drive of a person for programs. Credentials are a name with a password or an API token; no cookie
 * counts, and no page of another origin is answered.
 */
export function mountDav(app: Router, deps: DavDeps): void {
  app.all('/dav/*', (c) => respondDav(deps, c, { at: '/dav' }))
}

/** Where a Drive is served, and how. */
export interface DavMount {
  /** The address of the root, below the base URL, as the request has it. */
  readonly at: string
  readonly dialect?: Dialect
  /** Of methods besides those of WebDAV, or instead of them. */
  readonly handlers?: Readonly<Record<string, Handle>>
  /** Fails if the address is not this person's. */
  readonly expect?: (viewer: Viewer) => void
}

/** One request of WebDAV, errors included. */
export async function respondDav(deps: DavDeps, c: Context, mount: DavMount): Promise<Response> {
  let call: DavCall | null = null
  try {
    await expectSwitchedOn(deps, c)
    if (c.request.method === 'OPTIONS') return options()
    const { method } = c.request
    const handle = mount.handlers?.[method] ?? HANDLERS[method] ?? fail('method-not-allowed', { allow: [] })
    const { viewer, lists } = await admit(deps, c)
    mount.expect?.(viewer)
    call = callFrom(deps, c, { viewer, tokens: submittedTokens(lists), mount })
    if (lists.length > 0) await refuseUnlessIf(call, lists)
    return await finish(await handle(call), c.request, viewer.gesture)
  } catch (error) {
    const known = incidentFrom(error, deps.log)
    c.error = known
    return davErrorResponse(known, call)
  }
}

/** Fails with `not-found` where WebDAV is switched off, and with `forbidden` for pages of other origins. */
export async function expectSwitchedOn({ settings, origins }: DavDeps, c: Context): Promise<void> {
  if (c.share !== null || !(await settings.read()).webdav) fail('not-found', {})
  if (origins.senderOf(c.request, { secure: c.bindings.secure === true }) === 'foreign') fail('forbidden', { right: 'origin' })
}

function options(): Response {
  return new Response(null, {
    headers: { dav: '1, 2, 3', allow: METHODS, 'ms-author-via': 'DAV', 'content-length': '0', 'accept-ranges': 'bytes' },
  })
}

/** Who asks, with an access that stays current. Fails for accounts that must not use WebDAV. */
export async function admit(deps: DavDeps, { request, bindings }: Context) {
  const { viewer: asking, now } = await deps.signIn(request, bindings.peer)
  if (asking.mustChangePassword === true) fail('own-password-needed', {})
  if (asking.mustSetUpFactor === true) fail('second-factor-setup-needed', {})
  if (asking.webdavDisabled === true) fail('forbidden', { right: 'webdav' })
  const ask = async () => {
    const viewer = await now()
    return viewer === null || viewer.webdavDisabled === true ? fail('sign-in-needed', {}) : viewer.access
  }
  const access = { ...asking.access, latest: createLatest(asking.access, ask, deps.changes) }
  const gesture: Gesture | undefined = READING.has(request.method)
    ? undefined
    : { group: Bun.randomUUIDv7(), joins: false, hasChanged: false }
  const viewer: Viewer = { ...asking, access, ...(gesture !== undefined && { gesture }) }
  return { viewer, lists: parseIf(request.headers.get('if')) }
}

export interface CallOptions {
  readonly viewer: Viewer
  /** Of locks that the request submits. */
  readonly tokens: readonly string[]
  readonly mount: Pick<DavMount, 'at' | 'dialect'>
  /** If it is not what follows the address of the root. */
  readonly path?: FilePath
}

/** What a method works with. */
export function callFrom(deps: DavDeps, c: Context, { viewer, tokens, mount, path }: CallOptions): DavCall {
  const ids = new Set(tokens.flatMap((token) => lockIdIn(token) ?? []))
  const actor = davActorOf(viewer, ids)
  const raw = c.path.slice(mount.at.length)
  if (c.request.url.includes('#')) fail('invalid-input', { issues: ['path: a fragment'] })
  return {
    ...deps,
    request: c.request,
    viewer,
    actor,
    drive: READING.has(c.request.method) ? deps.driveFor(viewer.access) : deps.driveFor(viewer.access, actor),
    changingWith: (id) => deps.driveFor(viewer.access, davActorOf(viewer, new Set([...ids, id]))),
    path: path ?? decodeFilePath(raw || '/').path,
    base: `${deps.baseUrl}${mount.at}`,
    dialect: mount.dialect,
    local: c.bindings.local === true,
  }
}

/** Names the gesture that was recorded, and waits until the body has begun. */
export async function finish(response: Response, request: Request, gesture: Gesture | undefined): Promise<Response> {
  if (gesture?.hasChanged === true) response.headers.set(OPERATION_HEADER, gesture.group)
  if (request.method === 'HEAD') return response
  await whenBodyStarted(response)
  // The client has gone: the runtime would neither send the body nor end it.
  if (request.signal.aborted) void response.body?.cancel().catch(() => undefined)
  return response
}
