import type { FilePath } from '../../shared/file-path.ts'
import type { FoundNode } from '../bus/bus.ts'

/** What became of a node, as the disk tells it: nothing about who did it. */
export type FoundChange = FoundNode

/** More are not kept between two calls of `take`: then there were at least so many. */
const MOST = 100_000

/**
 * What the index found on the disk since somebody asked, one entry for each path.
 * @param options.since when everything was known the last time: what is found now has happened since then
 */
export function createFoundChanges({ now, since = now, most = MOST }: { now: () => number; since?: () => number; most?: number }) {
  let found = new Map<FilePath, FoundChange>()

  return {
    add(path: FilePath, change: FoundChange['change'], folder: boolean): void {
      const before = found.get(path)
      if (before === undefined && found.size >= most) return
      const at = now()
      const both = before === undefined ? change : together(before.change, change)
      if (both === null) found.delete(path)
      else found.set(path, { path, change: both, folder, first: before?.first ?? Math.min(at, since()), last: at })
    },
    count: (): number => found.size,
    take(): FoundChange[] {
      const taken = [...found.values()]
      found = new Map()
      return taken
    },
  }
}

/** Two changes of one path as one; null if nothing is left of them. */
export function together(first: FoundChange['change'], then: FoundChange['change']): FoundChange['change'] | null {
  if (first === 'appeared') return then === 'gone' ? null : 'appeared'
  if (first === 'gone') return then === 'gone' ? 'gone' : 'changed'
  return then === 'gone' ? 'gone' : 'changed'
}
