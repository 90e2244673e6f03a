import { fail } from '../../shared/errors.ts'
import { type FilePath, isWithin, joinPath, nameOf, parentOf, ROOT, segmentsOf } from '../../shared/file-path.ts'
import type { Drive, Entry } from '../drive/drive.ts'

/** What is to be in an archive. */
export interface Selection {
  /** The folder from which entries are named. */
  readonly base: FilePath
  /** The chosen nodes, none within another. A single folder is its own base: what it holds is named, not it. */
  readonly chosen: readonly Entry[]
  /** Of the archive, without suffix. */
  readonly name: string
}

/**
 * Several paths, or one, as an archive has them. What a path below another one would add is there already.
 * Fails with `not-found` where one is missing, hidden, or neither file nor folder.
 * @param rootName what the viewer's root is called
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

/** In order of their paths, without those that lie within others. */
function outermost(paths: readonly FilePath[]): FilePath[] {
  const outer: FilePath[] = []
  for (const path of [...new Set(paths)].toSorted(bySegments)) {
    const last = outer.at(-1)
    if (last === undefined || !isWithin(path, last)) outer.push(path)
  }
  return outer
}

/** A folder directly before what it holds: `/a/b` before `/a-b`. */
function bySegments(a: FilePath, b: FilePath): number {
  const [one, other] = [a.replaceAll('/', '\0'), b.replaceAll('/', '\0')]
  return one === other ? 0 : one < other ? -1 : 1
}

/** The deepest folder that holds both; of the second, the folder it lies in. */
function commonFolder(folder: FilePath, path: FilePath): FilePath {
  const other = segmentsOf(parentOf(path))
  let common = ROOT
  for (const [i, segment] of segmentsOf(folder).entries()) {
    if (other[i] !== segment) break
    common = joinPath(common, segment)
  }
  return common
}
