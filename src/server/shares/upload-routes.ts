import { href } from '../../shared/contract/endpoint.ts'
import { sent as calls } from '../../shared/contract/public.ts'
import { type FilePath, placeUnder } from '../../shared/file-path.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import { speakTus } from '../uploads/routes.ts'
import {
  type TusCall,
  respondAppended,
  respondCancelled,
  respondCreated,
  respondDescribed,
  respondOffset,
} from '../uploads/tus-response.ts'
import type { UploadsDeps } from '../uploads/uploads.ts'
import type { UploadTarget } from '../uploads/choose-upload.ts'
import { type ChangeCall, openForChange } from './open-for-change.ts'
import { checkFile, isUploadSecret, readSigned, receivingDrive, withReservedSpace, type ReceivingDeps, uploadRootOf } from './receiving.ts'
import type { Share } from './store.ts'
import type { OpenVisit, Proof, Visit } from './visit.ts'

export interface SentDeps extends Omit<ReceivingDeps, 'uploads'> {
  readonly visit: OpenVisit
  readonly uploads: UploadsDeps
  /** Base path of the server, without trailing slash. */
  readonly baseUrl: string
}

type SentCall = ChangeCall & { readonly params: { hash: string; upload: string; path: FilePath } }

/** Uploads of visitors into a share, by the code of all uploads. */
export function mountVisitorUploads(app: Router, deps: SentDeps): void {
  speakTus(app, '/api/public/tus')
  const placeOf = (share: Share, { upload, path }: SentCall['params']): UploadTarget => ({
    userId: share.userId,
    path: placeUnder(uploadRootOf(share, upload), path),
    share: share.hash,
  })
  const ask = async (call: SentCall, options: Pick<Proof, 'mayFinish'> = {}): Promise<TusCall & { visit: Visit }> => {
    const visit = await openForChange(deps.visit, call, options)
    const { share } = visit
    // Clients that may not upload learn nothing about existing uploads.
    checkFile(share, { path: call.params.path, length: 0 })
    const place = placeOf(share, call.params)
    const drive = receivingDrive(deps, {
      drive: visit.drive,
      share,
      uploadRoot: uploadRootOf(share, call.params.upload),
      address: call.peer,
    })
    return { visit, place, drive, request: call.request }
  }
  /** The sender of the last file that a drop box accepted may have missed the response, and asks again. */
  const askOfBegun = (call: SentCall): ReturnType<typeof ask> =>
    ask(call, {
      async mayFinish(share) {
        if (!isUploadSecret(call.params.upload)) return false
        const { userId, path } = placeOf(share, call.params)
        return (await deps.uploads.store.find(userId, path, '')) !== null
      },
    })

  mount(app, calls.options, async () => respondDescribed())
  mount(app, calls.create, async (call) => {
    const length = call.headers['upload-length']
    const stamp = call.headers['upload-metadata']
    const { visit, ...asked } = await ask(call)
    checkFile(visit.share, { path: call.params.path, length })
    readSigned(stamp ?? '')
    const location = () => deps.baseUrl + href(calls.create, { params: call.params })
    const uploads = { ...deps.uploads, store: withReservedSpace(deps, visit.share) }
    return respondCreated(uploads, asked, { length, stamp, replace: false, location })
  })
  mount(app, calls.offset, async (call) => respondOffset(deps.uploads, await askOfBegun(call)))
  mount(app, calls.append, async (call) => {
    const { headers, body } = call
    return respondAppended(deps.uploads, await askOfBegun(call), { at: headers['upload-offset'], body })
  })
  mount(app, calls.cancel, async (call) => respondCancelled(deps.uploads, await askOfBegun(call)))
}
