import { type FilePath, nameOf, parentOf } from '../../shared/file-path.ts'
import { numbered } from '../../shared/numbering.ts'
import { below, type DriveContext, type ResolvedPath } from './context.ts'
import { findTarget, type TargetPath } from './target-path.ts'

/**
 * The target at `path` if that is free, else with the first free number.
 * @param taken names that looked free but could not be used
 */
export async function freeTarget(context: DriveContext, path: FilePath, taken: ReadonlySet<string>): Promise<TargetPath> {
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
