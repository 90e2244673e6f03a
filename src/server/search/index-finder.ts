import type { SearchCut } from '../../shared/contract/search.ts'
import { type FilePath, nameOf, pathFrom, segmentsOf } from '../../shared/file-path.ts'
import { type Matcher, matcherOf, type SearchQuery } from '../../shared/search-query.ts'
import { compareRanks, type Rank, rankOf } from '../../shared/search-rank.ts'
import type { Walked } from '../drive/drive.ts'
import type { Outlook } from '../drive/outlook.ts'
import { inTurns } from '../drive/pause.ts'
import { unless } from '../drive/place.ts'
import type { Known, TreeIndex } from '../index/tree-index.ts'
import { type Finder, SEARCH_LIMITS, type SearchLimits } from './finder.ts'

/** How long names are gathered before the nearest of them are told: whoever waits sees nothing yet. */
const GATHER_MS = 12
/** Nodes that are looked at together. */
const LOOKS = 16

/**
 * Asks the index, and the disk about each node before it is told of: what is gone, or has changed so that nobody looks for it, is not told. Of what
 * the index says in its first moments the nearest comes first, and so on. Where the index does not know the folder, `walk` finds.
 */
export function createIndexFinder(index: TreeIndex, walk: Finder, limits: SearchLimits = SEARCH_LIMITS): Finder {
  return async function* find(drive, from, { query, signal, wants = () => true }) {
    const late = new AbortController()
    const stop = AbortSignal.any([signal, late.signal])
    const outlook = index.state().phase === 'off' ? null : await unless('not-found', drive.outlook(from))
    const batches = outlook && (await index.find(outlook.node, query, stop))
    if (outlook === null || batches === null) return yield* walk(drive, from, { query, signal, wants })

    const timer = setTimeout(() => late.abort(), limits.ms)
    const turn = inTurns(stop)
    const matcher = matcherOf(query)
    let cut: SearchCut | null = null
    let results = 0
    const isSeen = ({ path, kind }: Known): boolean => {
      if (!wants({ name: nameOf(path), kind }) || !outlook.reaches(path)) return false
      const isNear = segmentsOf(pathFrom(outlook.node, path) ?? path).length <= limits.depth
      if (!isNear) cut = 'depth'
      return isNear
    }
    try {
      for await (const nodes of nearestFirst(batches, { query, isSeen, turn, renew: outlook.renew, most: limits.results + 1 })) {
        for (let at = 0; at < nodes.length; at += LOOKS) {
          await turn()
          for (const { path, stat } of await lookAt(nodes.slice(at, at + LOOKS), outlook, matcher)) {
            if (++results > limits.results) return 'results'
            yield { path, isFolder: stat.kind === 'folder', size: stat.size }
          }
        }
      }
    } catch (error) {
      if (!late.signal.aborted || signal.aborted) throw error
      return 'time'
    } finally {
      clearTimeout(timer)
    }
    return cut
  }
}

interface Gathering {
  readonly query: SearchQuery
  readonly isSeen: (known: Known) => boolean
  readonly turn: () => Promise<void>
  /** Brings what may be seen up to date. */
  readonly renew: () => Promise<void> | undefined
  /** A portion need not be larger. */
  readonly most: number
}

/** What the index says, in portions that are in order by themselves. */
async function* nearestFirst(
  batches: AsyncIterable<readonly Known[]>,
  { query, isSeen, turn, renew, most }: Gathering,
): AsyncGenerator<readonly FilePath[], void> {
  let ranked: { path: FilePath; rank: Rank }[] = []
  let since = performance.now()
  const portion = (): FilePath[] => {
    const paths = ranked.sort((a, b) => compareRanks(a.rank, b.rank)).map(({ path }) => path)
    ranked = []
    return paths
  }
  for await (const batch of batches) {
    await turn()
    await renew()
    for (const known of batch) if (isSeen(known)) ranked.push({ path: known.path, rank: rankOf(known.path, query) })
    if (ranked.length < most && (ranked.length === 0 || performance.now() - since < GATHER_MS)) continue
    yield portion()
    since = performance.now()
  }
  if (ranked.length > 0) yield portion()
}

/** Those that are there and still what is looked for. */
async function lookAt(nodes: readonly FilePath[], outlook: Outlook, { finds, measures }: Matcher): Promise<Walked[]> {
  const entries = await Promise.all(nodes.map((node) => outlook.look(node)))
  return entries.filter((entry): entry is Walked => {
    if (entry === null) return false
    const { name, stat, target } = entry
    return finds({ name, ...stat, kind: target === null ? stat.kind : 'link' }) && measures(stat)
  })
}
