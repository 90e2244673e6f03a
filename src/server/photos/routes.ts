import { photos as calls } from '../../shared/contract/photos.ts'
import { createSemaphore } from '../../shared/semaphore.ts'
import { type Access, mayAnywhere } from '../access/access.ts'
import { clientKeyOf } from '../access/viewer.ts'
import type { Drive } from '../drive/drive.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { TreeIndex } from '../index/tree-index.ts'
import { respondLines } from '../sizes/lines-response.ts'
import type { Photos } from './photos.ts'
import { photosBelow } from './photos-below.ts'

export interface PhotosDeps {
  readonly driveFor: (access: Access) => Drive
  readonly photos: Photos
  readonly treeIndex: TreeIndex
  readonly closing: AbortSignal
}

/** One for a gallery, and one for that of the folder to which somebody goes next. */
const LISTS_EACH = 2
const LISTS_IN_ALL = 16

export function mountPhotos(app: Router, { driveFor, photos, treeIndex, closing }: PhotosDeps): void {
  const lists = createSemaphore({ slots: LISTS_IN_ALL, each: LISTS_EACH, retryAfterSeconds: 2 })

  mount(app, calls.list, async ({ params, query, viewer, reauthenticate, request }) => {
    // A folder that is not there is an error, not an empty list.
    await driveFor(viewer.access).subtree(params.path)
    const clientKey = clientKeyOf(viewer)
    const onEnd = lists.acquireNow(clientKey)
    const left = new AbortController()
    // It may take long: if the viewer loses the right or signs out, no more is read.
    const drive = async (): Promise<Drive | null> => {
      const now = (await reauthenticate({ passive: true }))?.access
      return now !== undefined && mayAnywhere(now, 'download') ? driveFor(now) : null
    }
    const lines = photosBelow(treeIndex, photos, {
      path: params.path,
      recursive: query.recursive === 'true',
      places: query.places === 'true',
      read: query.read !== 'false',
      drive,
      clientKey,
      signal: AbortSignal.any([request.signal, left.signal, closing]),
    })
    return respondLines(lines, { onLeave: () => left.abort(), onEnd })
  })

  mount(app, calls.facts, async ({ params, viewer, request }) =>
    photos.facts(driveFor(viewer.access), params.path, { clientKey: clientKeyOf(viewer), signal: request.signal }),
  )
}
