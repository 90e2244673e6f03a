import { bulk } from '../../shared/contract/bulk.ts'
import { href } from '../../shared/contract/endpoint.ts'
import { TUS_VERSION, tus } from '../../shared/contract/tus.ts'
import { AppError, fail } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Viewer } from '../access/viewer.ts'
import { type DriveFor, driveOf } from '../drive/drive-for.ts'
import { errorResponse } from '../http/errors.ts'
import { mount } from '../http/mount.ts'
import { shareAddress } from '../http/through-share.ts'
import { type Router, after } from '../http/router.ts'
import { takeBulk } from './bulk.ts'
import { type TusCall, respondAppended, respondCancelled, respondCreated, respondDescribed, respondOffset } from './tus-response.ts'
import { clientKeyOfUpload, uploadKeyOf } from './token-keys.ts'
import { unfinished, type UploadsDeps } from './uploads.ts'

export interface UploadRoutesDeps extends UploadsDeps {
  readonly driveFor: DriveFor
  /** Base path of the server, without trailing slash. */
  readonly baseUrl: string
}

/** tus 1.0.0 for clients that say so, and the same without its headers for the predecessor's clients. */
export function mountUploads(app: Router, deps: UploadRoutesDeps): void {
  speakTus(app, '/api/tus')
  interface Call {
    readonly viewer: Viewer
    readonly params: { path: FilePath }
    readonly query: { upload?: string | undefined }
    readonly request: Request
  }
  const asked = (call: Call): TusCall => ({
    place: {
      userId: call.viewer.userId,
      path: call.params.path,
      key: uploadKeyOf(call.viewer, call.query.upload),
      session: call.viewer.sessionId,
    },
    drive: driveOf(deps.driveFor, call.viewer),
    request: call.request,
  })
  mount(app, tus.options, async () => respondDescribed())
  mount(app, tus.create, async (call) => {
    const { params, query, headers } = call
    if (params.slash) fail('invalid-input', { issues: ['path: a folder'] })
    const target = asked(call)
    const ofFolder = target.place.key !== query.upload
    // Clients of the predecessor, which do not declare tus, get the address that they expect.
    const isTus = call.request.headers.has('tus-resumable') || query.upload !== undefined
    const location = (key: string) =>
      deps.baseUrl +
      shareAddress(call.viewer.through?.share ?? null) +
      href(tus.offset, { params: { path: params.path }, query: isTus ? { upload: clientKeyOfUpload(key) } : {} })
    const announced = { length: headers['upload-length'], stamp: headers['upload-metadata'], replace: query.override === 'true', location }
    return respondCreated(deps, ofFolder && query.upload === undefined ? newlyNamed(target, call.viewer) : target, announced)
  })
  mount(app, tus.offset, (call) => respondOffset(deps, asked(call)))
  mount(app, tus.append, (call) => respondAppended(deps, asked(call), { at: call.headers['upload-offset'], body: call.body }))
  mount(app, tus.unfinished, async ({ viewer }) => unfinished(deps, deps.driveFor(viewer.access), viewer.userId))
  mount(app, tus.cancel, (call) => respondCancelled(deps, asked(call)))
  mount(app, bulk.upload, (call) => takeBulk(driveOf(deps.driveFor, call.viewer), call))
}

function newlyNamed(call: TusCall, viewer: Viewer): TusCall {
  return { ...call, place: { ...call.place, key: uploadKeyOf(viewer, crypto.randomUUID()) } }
}

/** Adds the version to every response below an address, and refuses other versions. */
export function speakTus(app: Router, below: string): void {
  app.use((c, next) => {
    if (c.path !== below && !c.path.startsWith(`${below}/`)) return next()
    const version = c.header('tus-resumable') ?? TUS_VERSION
    const isKnown = version === TUS_VERSION || c.request.method === 'OPTIONS'
    return after(isKnown ? next() : errorResponse(new AppError('precondition-failed', {}), c.header('accept') ?? ''), (response) => {
      response.headers.set('Tus-Resumable', TUS_VERSION)
      if (response.status === 412) response.headers.set('Tus-Version', TUS_VERSION)
      return response
    })
  })
}
