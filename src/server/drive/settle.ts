import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, nameOf } from '../../shared/file-path.ts'
import type { TransferOptions } from './drive.ts'
import { freeSpot } from './numbering.ts'
import type { Ground } from './place.ts'
import { findSpot, type Spot } from './spot.ts'

interface Settling {
  readonly to: FilePath
  /** Whether what stands at the target is the source itself by another name, and so no conflict. */
  readonly isSource: (spot: Spot) => boolean
  readonly arrive: (spot: Spot, options: Required<Pick<TransferOptions, 'replace' | 'ready'>>) => Promise<void>
}

/** Lets something arrive where it may: at a free place, over what is there, or at the next free number. @returns where that was */
export async function settle(ground: Ground, { to, isSource, arrive }: Settling, options: TransferOptions): Promise<FilePath> {
  const { replace, rename } = options
  const lost = new Set<string>()
  const ready = once(options.ready)
  for (;;) {
    const asked = await findSpot(ground, to, 'keep')
    const spot = rename && !isSource(asked) ? await freeSpot(ground, to, lost) : asked
    const { path } = spot.place
    if (spot.stat !== null && !replace && !isSource(spot)) fail('already-exists', { path })
    try {
      await arrive(spot, { replace: replace && !rename, ready })
      return path
    } catch (error) {
      if (!rename || !isAppError(error, 'already-exists') || error.detail.path !== path || lost.has(nameOf(path))) throw error
      lost.add(nameOf(path))
    }
  }
}

/** However often the last moment takes the place away again. */
function once(ready: TransferOptions['ready']): (path: FilePath) => Promise<void> {
  let asked = false
  return async (path) => {
    if (asked) return
    asked = true
    await ready?.(path)
  }
}
