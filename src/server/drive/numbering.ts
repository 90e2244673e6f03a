import { type FilePath, nameOf, parentOf } from '../../shared/file-path.ts'
import { numbered } from '../../shared/numbering.ts'
import { below, type DriveContext, type ResolvedPath } from './context.ts'
import { findTarget, type TargetPath } from './target-path.ts'

/**
 * The place of `path` itself where that is free, else of the first free number.
 * @param lost names that looked free and were taken after all
 */
export async function freeTarget(context: DriveContext, path: FilePath, lost: ReadonlySet<string>): Promise<TargetPath> {
  const target = await findTarget(context, path, 'keep')
  if (target.stat === null && !lost.has(nameOf(path))) return target
  target[Symbol.dispose]()
  const folder = parentPlace(target.place)
  const { names } = await context.storage.list(folder.node)
  const taken = new Set([...names, ...lost])
  for (let number = 1; ; number++) {
    const place = below(folder, numbered(nameOf(path), number))
    if (!taken.has(nameOf(place.path)) && context.verdict(place) === 'shown')
      return { place, stat: null, missing: [], nearest: folder.node, [Symbol.dispose]: () => undefined }
  }
}

function parentPlace({ path, alias, real, node }: ResolvedPath): ResolvedPath {
  return { path: parentOf(path), alias: parentOf(alias), real: parentOf(real), node: parentOf(node) }
}
