import { BREADCRUMB_SEGMENTS } from '../../shared/limits.ts'
import { type FilePath, joinPath, ROOT, segmentsOf } from '../../shared/file-path.ts'

export interface Crumb {
  readonly name: string
  readonly path: FilePath
}

/** Breadcrumbs of a path: at most the last three are shown; if there are more, the first shown is '…' and stands for all hidden ones. */
export function crumbsOf(path: FilePath): { hidden: Crumb[]; shown: Crumb[] } {
  let at = ROOT
  const all = segmentsOf(path).map((name) => {
    at = joinPath(at, name)
    return { name, path: at }
  })
  if (all.length <= BREADCRUMB_SEGMENTS) return { hidden: [], shown: all }
  const cut = all.length - BREADCRUMB_SEGMENTS + 1
  return { hidden: all.slice(0, cut), shown: all.slice(cut) }
}
