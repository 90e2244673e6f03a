import type { SearchCut } from '../../shared/contract/search.ts'
import { isAppError } from '../../shared/errors.ts'
import type { Finder } from './finder.ts'

/** How far one search goes. All but `ms` give the same answer for the same tree, however busy the machine is. */
export interface WalkLimits {
  readonly results: number
  /** Nodes looked at, found or not. */
  readonly entries: number
  /** Folders below the start. */
  readonly depth: number
  readonly ms: number
}

export const WALK_LIMITS: WalkLimits = { results: 10_000, entries: 2_000_000, depth: 100, ms: 60_000 }

/** Looks at every name there is. Deeper folders than the limit are passed over and the search goes on; any other limit ends it. */
export function createWalkFinder(limits: WalkLimits = WALK_LIMITS): Finder {
  return async function* find(drive, from, { matches, signal }) {
    const stop = new AbortController()
    let cut: SearchCut | null = null
    const end = (reason: SearchCut): void => {
      cut = reason
      stop.abort()
    }
    const timer = setTimeout(() => end('time'), limits.ms)
    let entries = 0
    let results = 0
    const walk = drive.walk(from, {
      signal: AbortSignal.any([signal, stop.signal]),
      wants(name, isFolder) {
        if (++entries > limits.entries) end('entries')
        return matches(name, isFolder)
      },
      enters(depth) {
        if (depth > limits.depth) cut = 'depth'
        return depth <= limits.depth
      },
    })
    try {
      for await (const { path, stat } of walk) {
        if (stop.signal.aborted) break
        if (++results > limits.results) return 'results'
        yield { path, isFolder: stat.kind === 'folder' }
      }
    } catch (error) {
      if (isAppError(error, 'not-found')) return null
      if (!stop.signal.aborted || signal.aborted) throw error
    } finally {
      clearTimeout(timer)
    }
    return cut
  }
}
