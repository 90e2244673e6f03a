import type { SearchCut } from '../../shared/contract/search.ts'
import { isAppError } from '../../shared/errors.ts'
import { matcherOf } from '../../shared/search-query.ts'
import { type Finder, SEARCH_LIMITS, type SearchLimits } from './finder.ts'

/** Checks every name in the tree. Folders below the depth limit are skipped; any other limit ends the search. */
export function createWalkFinder(limits: SearchLimits = SEARCH_LIMITS): Finder {
  return async function* find(drive, from, { query, signal, wants = () => true }) {
    const { finds, measures } = matcherOf(query)
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
      wants(node) {
        if (++entries > limits.entries) end('entries')
        return wants(node) && finds(node)
      },
      enters(depth) {
        if (depth > limits.depth) cut = 'depth'
        return depth <= limits.depth
      },
    })
    try {
      for await (const { path, stat } of walk) {
        if (stop.signal.aborted) break
        if (!measures(stat)) continue
        if (++results > limits.results) return 'results'
        yield { path, isFolder: stat.kind === 'folder', size: stat.size }
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
