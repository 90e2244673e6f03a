import type { Hono } from 'hono'
import { href } from '../../shared/contract/endpoint.ts'
import { sent as calls } from '../../shared/contract/public.ts'
import { type FilePath, placeUnder } from '../../shared/file-path.ts'
import { type Env, mount } from '../http/mount.ts'
import { speakTus } from '../uploads/routes.ts'
import { type Asked, respondAppended, respondCancelled, respondCreated, respondDescribed, respondOffset } from '../uploads/tus-response.ts'
import type { UploadsDeps } from '../uploads/uploads.ts'
import { type ChangeCall, enterToChange } from './door.ts'
import { checkFile, readSigned, receivingDrive, reserving, type ReceivingDeps, trackOf } from './receiving.ts'
import type { OpenVisit, Visit } from './visit.ts'

export interface SentDeps extends Omit<ReceivingDeps, 'uploads'> {
  readonly visit: OpenVisit
  readonly uploads: UploadsDeps
  /** Where the product is served, without trailing slash. */
  readonly baseUrl: string
}

type SentCall = ChangeCall & { readonly params: { hash: string; upload: string; path: FilePath } }

/** What visitors put into a share, with the machinery of everybody's uploads. */
export function mountSent(app: Hono<Env>, deps: SentDeps): void {
  speakTus(app, '/api/public/tus/*')
  const ask = async (call: SentCall): Promise<Asked & { visit: Visit }> => {
    const { upload, path } = call.params
    const visit = await enterToChange(deps.visit, call)
    const { share } = visit
    // Whether there is such an upload is no business of those who may send nothing.
    checkFile(share, { path, length: 0 })
    const track = trackOf(share, upload)
    const drive = receivingDrive(deps, { drive: visit.drive, share, track, address: call.peer })
    return { visit, place: { userId: share.userId, path: placeUnder(track, path), share: share.hash }, drive, request: call.request }
  }

  mount(app, calls.options, async () => respondDescribed())
  mount(app, calls.create, async (call) => {
    const length = call.headers['upload-length']
    const stamp = call.headers['upload-metadata']
    const { visit, ...asked } = await ask(call)
    checkFile(visit.share, { path: call.params.path, length })
    readSigned(stamp ?? '')
    const location = deps.baseUrl + href(calls.create, { params: call.params })
    const uploads = { ...deps.uploads, store: reserving(deps, visit.share) }
    return respondCreated(uploads, asked, { length, stamp, replace: false, location })
  })
  mount(app, calls.offset, async (call) => respondOffset(deps.uploads, await ask(call)))
  mount(app, calls.append, async (call) =>
    respondAppended(deps.uploads, await ask(call), { at: call.headers['upload-offset'], body: call.body }),
  )
  mount(app, calls.cancel, async (call) => respondCancelled(deps.uploads, await ask(call)))
}
