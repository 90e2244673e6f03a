import type { Hono } from 'hono'
import { sizes } from '../../shared/contract/sizes.ts'
import { createFairQueue } from '../../shared/fair-queue.ts'
import type { Access } from '../access/access.ts'
import { clientKeyOf } from '../access/viewer.ts'
import type { Drive } from '../drive/drive.ts'
import { type Env, mount } from '../http/mount.ts'
import { createClientLimit } from '../http/client-limit.ts'
import type { TreeIndex } from '../index/tree-index.ts'
import { duplicatesBelow } from './duplicates.ts'
import { largestBelow } from './largest.ts'
import { respondLines } from './lines-response.ts'
import { countedBelow, sizesOf } from './sums.ts'

export interface SizesDeps {
  readonly driveFor: (access: Access) => Drive
  readonly index: TreeIndex
  /** Aborted when the server begins to stop. */
  readonly closing: AbortSignal
}

/** Some of these go through every name below a folder: nobody has more of them at once (security reference R9). */
const COUNTS_EACH = 4
const COMPARISONS_EACH = 1
/** Each reads as fast as the disk is, and remembers the sizes of all files. */
const COMPARISONS_IN_ALL = 4
/** Walks through all that is known below a folder: a million entries are three seconds of work, in small pieces. */
const WALKS_IN_ALL = 2
const LARGEST = 100

/** What folders hold, their largest files, and files of the same content. Needs no right but to see them; comparing contents is reading them. */
export function mountSizes(app: Hono<Env>, { driveFor, index, closing }: SizesDeps): void {
  const counts = createClientLimit(COUNTS_EACH, { retryAfterSeconds: 1 })
  const walks = createFairQueue({ atOnce: WALKS_IN_ALL })
  const comparisons = createClientLimit(COMPARISONS_EACH, { retryAfterSeconds: 5, total: COMPARISONS_IN_ALL })

  mount(app, sizes.folder, async ({ params, query, viewer, request }) => {
    const subtree = await driveFor(viewer.access).subtree(params.path)
    const { signal } = request
    const clientKey = clientKeyOf(viewer)
    const leave = counts.enter(clientKey)
    const count = () => sizesOf(index, subtree, { children: query.children === 'true', signal })
    try {
      return countedBelow(subtree, subtree.node) !== null ? await count() : await walks(clientKey, count, { signal })
    } finally {
      leave()
    }
  })

  mount(app, sizes.largest, async ({ params, viewer, request }) => {
    const drive = driveFor(viewer.access)
    const subtree = await drive.subtree(params.path)
    const { signal } = request
    const clientKey = clientKeyOf(viewer)
    const leave = counts.enter(clientKey)
    try {
      return { files: await walks(clientKey, () => largestBelow(index, { drive, subtree, most: LARGEST, signal }), { signal }) }
    } finally {
      leave()
    }
  })

  mount(app, sizes.duplicates, async ({ params, viewer, reauthenticate, request }) => {
    const subtree = await driveFor(viewer.access).subtree(params.path)
    const onEnd = comparisons.enter(clientKeyOf(viewer))
    const left = new AbortController()
    // It may take long: whoever lost the right meanwhile, or is gone, reads no further.
    const drive = async (): Promise<Drive | null> => {
      const now = (await reauthenticate({ passive: true }))?.access
      return now?.may.download === true || now?.may.admin === true ? driveFor(now) : null
    }
    const signal = AbortSignal.any([request.signal, left.signal, closing])
    const lines = duplicatesBelow(index, { subtree, drive, signal })
    return respondLines(lines, { onLeave: () => left.abort(), onEnd })
  })
}
