import { sizes } from '../../shared/contract/sizes.ts'
import { createSemaphore } from '../../shared/semaphore.ts'
import { type Access, mayAnywhere } from '../access/access.ts'
import { clientKeyOf } from '../access/viewer.ts'
import type { Drive } from '../drive/drive.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { TreeIndex } from '../index/tree-index.ts'
import { duplicatesBelow } from './duplicates.ts'
import { largestBelow } from './largest.ts'
import { respondLines } from './lines-response.ts'
import { countedBelow, sizesOf } from './sums.ts'

export interface SizesDeps {
  readonly driveFor: (access: Access) => Drive
  readonly index: TreeIndex
  readonly closing: AbortSignal
}

/** Some of these read every name below a folder (R9). */
const COUNTS_EACH = 4
const COMPARISONS_EACH = 1
/** Each reads the disk at full speed, and keeps the sizes of all files in memory. */
const COMPARISONS_IN_ALL = 4
/** A walk through the index: a million entries take three seconds of work, in small steps. */
const WALKS_IN_ALL = 2
const LARGEST = 100

/**
 * Folder sizes, largest files, and files with identical content. The first two need only visibility; comparing contents needs the right to read them.
 */
export function mountSizes(app: Router, { driveFor, index, closing }: SizesDeps): void {
  const counts = createSemaphore({ slots: Infinity, each: COUNTS_EACH, retryAfterSeconds: 1 })
  const walks = createSemaphore({ slots: WALKS_IN_ALL })
  const comparisons = createSemaphore({ slots: COMPARISONS_IN_ALL, each: COMPARISONS_EACH, retryAfterSeconds: 5 })

  mount(app, sizes.folder, async ({ params, query, viewer, request }) => {
    const subtree = await driveFor(viewer.access).subtree(params.path)
    const { signal } = request
    const clientKey = clientKeyOf(viewer)
    const leave = counts.acquireNow(clientKey)
    const count = () => sizesOf(index, subtree, { children: query.children === 'true', signal })
    try {
      return countedBelow(subtree, subtree.node) !== null ? await count() : await walks.run(clientKey, count, { signal })
    } finally {
      leave()
    }
  })

  mount(app, sizes.largest, async ({ params, viewer, request }) => {
    const drive = driveFor(viewer.access)
    const subtree = await drive.subtree(params.path)
    const { signal } = request
    const clientKey = clientKeyOf(viewer)
    const leave = counts.acquireNow(clientKey)
    try {
      return { files: await walks.run(clientKey, () => largestBelow(index, { drive, subtree, most: LARGEST, signal }), { signal }) }
    } finally {
      leave()
    }
  })

  mount(app, sizes.duplicates, async ({ params, viewer, reauthenticate, request }) => {
    const subtree = await driveFor(viewer.access).subtree(params.path)
    const onEnd = comparisons.acquireNow(clientKeyOf(viewer))
    const left = new AbortController()
    // It may take long: if the viewer loses the right or signs out, no more is read.
    const drive = async (): Promise<Drive | null> => {
      const now = (await reauthenticate({ passive: true }))?.access
      return now !== undefined && mayAnywhere(now, 'download') ? driveFor(now) : null
    }
    const signal = AbortSignal.any([request.signal, left.signal, closing])
    const lines = duplicatesBelow(index, { subtree, drive, signal })
    return respondLines(lines, { onLeave: () => left.abort(), onEnd })
  })
}
