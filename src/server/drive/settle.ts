import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, nameOf } from '../../shared/file-path.ts'
import type { TransferOptions } from './drive.ts'
import { freeTarget } from './numbering.ts'
import type { DriveContext } from './context.ts'
import { findTarget, type TargetPath } from './target-path.ts'

interface Settling {
  readonly to: FilePath
  /** Whether what stands at the target is the source itself by another name, and so no conflict. */
  readonly isSource: (target: TargetPath) => boolean
  readonly arrive: (target: TargetPath, options: Required<Pick<TransferOptions, 'replace' | 'ready'>>) => Promise<void>
}

/** Lets something arrive where it may: at a free place, over what is there, or at the next free number. @returns where that was */
export async function settle(context: DriveContext, { to, isSource, arrive }: Settling, options: TransferOptions): Promise<FilePath> {
  const { replace, rename } = options
  const lost = new Set<string>()
  const ready = once(options.ready)
  for (;;) {
    using asked = await findTarget(context, to, 'keep')
    using free = rename && !isSource(asked) ? await freeTarget(context, to, lost) : null
    const target = free ?? asked
    const { path } = target.place
    if (target.stat !== null && !replace && !isSource(target)) fail('already-exists', { path })
    try {
      await arrive(target, { replace: replace && !rename, ready })
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
