import type { FilePath } from '../../shared/file-path.ts'
import { type FoundNode, together } from '../../shared/found-node.ts'

/** Told of a change in a watched folder, by the names on the way to the node. */
export type OnFound = (segments: readonly string[], change: FoundNode['change'], isFolder: boolean) => void

/** More are not kept between two calls of `take`: then there were at least so many. */
const MOST = 100_000

/**
 * What the index found on the disk since somebody asked, one entry for each path.
 * @param options.since when everything was known the last time: what is found now has happened since then
 */
export function createFoundChanges({ now, since = now, most = MOST }: { now: () => number; since?: () => number; most?: number }) {
  let found = new Map<FilePath, FoundNode>()

  return {
    add(path: FilePath, change: FoundNode['change'], folder: boolean): void {
      const before = found.get(path)
      if (before === undefined && found.size >= most) return
      const at = now()
      const both = before === undefined ? change : together(before.change, change)
      if (both === null) found.delete(path)
      else found.set(path, { path, change: both, folder, first: before?.first ?? Math.min(at, since()), last: at })
    },
    count: (): number => found.size,
    take(): FoundNode[] {
      const taken = [...found.values()]
      found = new Map()
      return taken
    },
  }
}
