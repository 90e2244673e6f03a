import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, nameOf } from '../../shared/file-path.ts'
import type { DriveContext } from './context.ts'
import { freeTarget } from './free-target.ts'
import type { TransferOptions } from './operation.ts'
import { findTarget, type TargetPath } from './target-path.ts'

interface Transfer {
  readonly to: FilePath
  /** Whether the node at the target is the source itself under another name, and so no conflict. */
  readonly isSource: (target: TargetPath) => boolean
  readonly run: (target: TargetPath, options: Required<Pick<TransferOptions, 'replace' | 'ready'>>) => Promise<void>
}

/** Copies or moves to a free target, over an existing one, or to the next free number, as the options say. @returns the path of the result */
export async function transferTo(context: DriveContext, { to, isSource, run }: Transfer, options: TransferOptions): Promise<FilePath> {
  const { replace, rename } = options
  const taken = new Set<string>()
  const ready = once(options.ready)
  for (;;) {
    using asked = await findTarget(context, to, 'keep')
    using free = rename && !isSource(asked) ? await freeTarget(context, to, taken) : null
    const target = free ?? asked
    const { path } = target.place
    if (target.stat !== null && !replace && !isSource(target)) fail('already-exists', { path })
    try {
      await run(target, { replace: replace && !rename, ready })
      return path
    } catch (error) {
      // Another request took the free name in the meantime.
      if (!rename || !isAppError(error, 'already-exists') || error.detail.path !== path || taken.has(nameOf(path))) throw error
      taken.add(nameOf(path))
    }
  }
}

/** `ready` is called once, even if the target has to be chosen again. */
function once(ready: TransferOptions['ready']): (path: FilePath) => Promise<void> {
  let called = false
  return async (path) => {
    if (called) return
    called = true
    await ready?.(path)
  }
}
