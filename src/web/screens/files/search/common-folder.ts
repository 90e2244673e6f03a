import { type FilePath, joinPath, parentOf, ROOT, segmentsOf } from '../../../../shared/file-path.ts'

/** The deepest common parent folder. */
export function commonFolder(paths: readonly FilePath[]): FilePath {
  const [first, ...others] = paths.map((path) => segmentsOf(parentOf(path)))
  if (first === undefined) return ROOT
  const differs = first.findIndex((segment, at) => others.some((other) => other[at] !== segment))
  return first.slice(0, differs < 0 ? first.length : differs).reduce<FilePath>((folder, segment) => joinPath(folder, segment), ROOT)
}
