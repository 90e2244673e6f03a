import { fail } from '../../shared/errors.ts'
import { type FilePath, isWithin, joinPath, nameOf, parentOf, ROOT, segmentsOf } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import type { Entry } from '../drive/entry.ts'

/** The content of an archive. */
export interface Selection {
  /** The folder that names in the archive are relative to. */
  readonly base: FilePath
  /** The chosen nodes, none inside another. A single folder is its own base: its content is named, not the folder itself. */
  readonly chosen: readonly Entry[]
  /** The name of the archive, without suffix. */
  readonly name: string
}

/**
 * One or several paths as an archive contains them; paths inside another chosen one add nothing. Fails with `not-found` if a path is missing, hidden,
 * or neither file nor folder.
 * @param rootName name of the viewer's root
 */
export async function selectPaths(drive: Drive, paths: readonly FilePath[], { rootName }: { rootName: string }): Promise<Selection> {
  const outer = outermost(paths)
  const chosen: Entry[] = []
  for (const path of outer) {
    const entry = await drive.stat(path)
    const { kind } = entry.stat
    chosen.push(kind === 'file' || kind === 'folder' ? entry : fail('not-found', { path }))
  }
  const [only] = chosen
  const base = outer.reduce(commonFolder, parentOf(outer[0] ?? ROOT))
  if (only === undefined || chosen.length > 1) return { base, chosen, name: `_${nameOf(base) || rootName}` }
  const own = only.stat.kind === 'folder' ? only.path : parentOf(only.path)
  return { base: own, chosen, name: nameOf(only.path) || rootName }
}

/** Sorted paths, without those inside others. */
function outermost(paths: readonly FilePath[]): FilePath[] {
  const outer: FilePath[] = []
  for (const path of [...new Set(paths)].toSorted(bySegments)) {
    const last = outer.at(-1)
    if (last === undefined || !isWithin(path, last)) outer.push(path)
  }
  return outer
}

/** A folder comes directly before its content: `/a/b` before `/a-b`. */
function bySegments(a: FilePath, b: FilePath): number {
  const [one, other] = [a.replaceAll('/', '\0'), b.replaceAll('/', '\0')]
  return one === other ? 0 : one < other ? -1 : 1
}

/** The deepest folder that contains both; of the second, its parent folder. */
function commonFolder(folder: FilePath, path: FilePath): FilePath {
  const other = segmentsOf(parentOf(path))
  let common = ROOT
  for (const [i, segment] of segmentsOf(folder).entries()) {
    if (other[i] !== segment) break
    common = joinPath(common, segment)
  }
  return common
}
