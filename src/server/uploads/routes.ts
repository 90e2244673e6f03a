import type { Hono } from 'hono'
import { href } from '../../shared/contract/endpoint.ts'
import { OFFSET_MEDIA_TYPE, TUS_EXTENSIONS, TUS_MAX_SIZE, TUS_VERSION, tus } from '../../shared/contract/tus.ts'
import { AppError, fail } from '../../shared/errors.ts'
import type { Access } from '../access/access.ts'
import { type Doer, doerOf } from '../drive/announce.ts'
import type { Drive } from '../drive/drive.ts'
import { errorResponse, statusResponse } from '../http/errors.ts'
import { type Env, type Handler, mount } from '../http/mount.ts'
import { begin, cancel, isFinished, offset, type Place, proceed, type Progress, unfinished, type UploadsDeps } from './uploads.ts'

export interface UploadRoutesDeps extends UploadsDeps {
  readonly driveFor: (access: Access, doer?: Doer) => Drive
  /** Where the product is served, without trailing slash. */
  readonly baseUrl: string
}

/** tus 1.0.0 for those who say so, and the same without its headers for the predecessor's clients, who do not (contract reference 1.14). */
export function mountUploads(app: Hono<Env>, deps: UploadRoutesDeps): void {
  app.use('/api/tus/*', async (c, next) => {
    const version = c.req.header('tus-resumable') ?? TUS_VERSION
    if (version === TUS_VERSION || c.req.method === 'OPTIONS') await next()
    else c.res = errorResponse(new AppError('precondition-failed', {}), c.req.header('accept') ?? '')
    c.header('tus-resumable', TUS_VERSION)
    if (c.res.status === 412) c.header('tus-version', TUS_VERSION)
  })
  mount(app, tus.options, describe())
  mount(app, tus.create, create(deps))
  mount(app, tus.offset, tell(deps))
  mount(app, tus.append, append(deps))
  mount(app, tus.unfinished, async ({ viewer }) => unfinished(deps, deps.driveFor(viewer.access), viewer.userId))
  mount(app, tus.cancel, terminate(deps))
}

function describe(): Handler<typeof tus.options> {
  const headers = { 'tus-version': TUS_VERSION, 'tus-extension': TUS_EXTENSIONS.join(','), 'tus-max-size': String(TUS_MAX_SIZE) }
  return async () => new Response(null, { status: 204, headers })
}

/** POST: announces a file, and takes the first bytes along when they come with it. */
function create(deps: UploadRoutesDeps): Handler<typeof tus.create> {
  return async ({ params: { path, slash }, query, headers, viewer, request }) => {
    if (slash) fail('invalid-input', { issues: ['path: a folder'] })
    const drive = deps.driveFor(viewer.access, doerOf(viewer))
    const place = { userId: viewer.userId, path }
    const stamp = headers['upload-metadata'] ?? ''
    const begun = await begin(deps, drive, { ...place, length: headers['upload-length'], stamp, replace: query.override === 'true' })
    const bytes = begun.offset === 0 && begun.length > 0 && isOffsetBytes(request) ? request.body : null
    const now =
      bytes === null
        ? begun
        : await proceed(deps, drive, { ...place, offset: 0, size: declaredSize(request), body: bytes, client: request.signal })
    const location = deps.baseUrl + href(tus.offset, { params: { path } })
    return statusResponse(201, { location, ...progressHeaders(now) })
  }
}

/** HEAD and GET: where to go on. */
function tell(deps: UploadRoutesDeps): Handler<typeof tus.offset> {
  return async ({ params: { path }, viewer, request }) => {
    const place = { userId: viewer.userId, path }
    await refuseFinished(deps, place, request)
    const now = await offset(deps, deps.driveFor(viewer.access, doerOf(viewer)), place)
    const metadata: Record<string, string> = now.stamp === '' ? {} : { 'upload-metadata': now.stamp }
    const headers = { ...progressHeaders(now), ...metadata, 'upload-length': String(now.length), 'cache-control': 'no-store' }
    return new Response(null, { status: 200, headers })
  }
}

/** PATCH: takes in bytes. */
function append(deps: UploadRoutesDeps): Handler<typeof tus.append> {
  return async ({ params: { path }, headers, body, viewer, request }) => {
    if (!isOffsetBytes(request)) fail('unsupported-media-type', { expected: OFFSET_MEDIA_TYPE })
    const at = readOffset(headers['upload-offset'])
    const place = { userId: viewer.userId, path }
    const drive = deps.driveFor(viewer.access, doerOf(viewer))
    const now = await proceed(deps, drive, { ...place, offset: at, size: declaredSize(request), body, client: request.signal })
    return new Response(null, { status: 204, headers: progressHeaders(now) })
  }
}

/** DELETE: forgets an unfinished upload. */
function terminate(deps: UploadRoutesDeps): Handler<typeof tus.cancel> {
  return async ({ params: { path }, viewer }) => {
    await cancel(deps, deps.driveFor(viewer.access, doerOf(viewer)), { userId: viewer.userId, path })
    return new Response(null, { status: 204 })
  }
}

/** A finished upload is none for the predecessor's clients; a tus client may have missed the last answer, and learns that all went well. */
async function refuseFinished(deps: UploadRoutesDeps, place: Place, request: Request): Promise<void> {
  if (!request.headers.has('tus-resumable') && (await isFinished(deps, place))) fail('not-found', { path: place.path })
}

function progressHeaders({ offset: at, length, expires }: Progress): Record<string, string> {
  const headers = { 'upload-offset': String(at) }
  return at === length ? headers : { ...headers, 'upload-expires': expires.toUTCString() }
}

function readOffset(text = ''): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : fail('invalid-input', { issues: ['upload-offset: a whole number of bytes'] })
}

function isOffsetBytes(request: Request): boolean {
  return request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() === OFFSET_MEDIA_TYPE
}

function declaredSize(request: Request): number | null {
  const text = request.headers.get('content-length')
  return text === null ? null : Number(text)
}
