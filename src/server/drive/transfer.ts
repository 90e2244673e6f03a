import { numbered } from '../../shared/numbering.ts'
import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, nameOf, parentOf } from '../../shared/file-path.ts'
import { type DriveContext, below, type ResolvedPath } from './context.ts'
import type { TransferOptions } from './operation.ts'
import { findTarget, type TargetPath } from './target-path.ts'

interface Transfer {
  readonly to: FilePath
  /** Whether the node at the target is the source itself under another name, and so no conflict. */
  readonly isSource: (target: TargetPath) => boolean | Promise<boolean>
  readonly run: (target: TargetPath, options: Required<Pick<TransferOptions, 'replace' | 'ready'>>) => Promise<void>
}

/** Copies or moves to a free target, over an existing one, or to the next free number, as the options say. @returns the path of the result */
export async function transferTo(context: DriveContext, { to, isSource, run }: Transfer, options: TransferOptions): Promise<FilePath> {
  const { replace, rename } = options
  const taken = new Set<string>()
  const ready = once(options.ready)
  for (;;) {
    using asked = await findTarget(context, to, 'keep')
    using free = rename && !(await isSource(asked)) ? await freeTarget(context, to, taken) : null
    const target = free ?? asked
    const { path } = target.place
    if (target.stat !== null && !replace && !(await isSource(target))) fail('already-exists', { path })
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

/**
 * The target at `path` if that is free, else with the first free number.
 * @param taken names that looked free but could not be used
 */
async function freeTarget(context: DriveContext, path: FilePath, taken: ReadonlySet<string>): Promise<TargetPath> {
  const target = await findTarget(context, path, 'keep')
  if (target.stat === null && !taken.has(nameOf(path))) return target
  target[Symbol.dispose]()
  const folder = parentPlace(target.place)
  const { names } = await context.storage.list(folder.node)
  const used = new Set([...names, ...taken])
  for (let number = 1; ; number++) {
    const place = below(folder, numbered(nameOf(path), number))
    if (!used.has(nameOf(place.path)) && context.verdict(place) === 'shown')
      return { place, stat: null, missing: [], nearest: folder.node, [Symbol.dispose]: () => undefined }
  }
}

function parentPlace({ path, alias, real, node }: ResolvedPath): ResolvedPath {
  return { path: parentOf(path), alias: parentOf(alias), real: parentOf(real), node: parentOf(node) }
}
