import type { SearchCut } from '../../shared/contract/search.ts'
import { type FilePath, nameOf, pathFrom, segmentsOf } from '../../shared/file-path.ts'
import { type Matcher, matcherOf, type SearchQuery } from '../../shared/search-query.ts'
import { compareRanks, rankOf } from '../../shared/search-rank.ts'
import type { WalkedEntry } from '../drive/entry.ts'
import type { SubtreeView } from '../drive/subtree-view.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import { nullOn } from '../../shared/errors.ts'
import type { IndexedNode, TreeIndex } from '../index/tree-index.ts'
import { type Finder, SEARCH_LIMITS, type SearchLimits } from './finder.ts'

/** How long results are collected before the nearest of them are yielded: the user sees nothing yet. */
const GATHER_MS = 12
/** Concurrent lookups. */
const LOOKS = 16

/**
 * Queries the index, and looks each node up on the disk before it is yielded: nodes that have gone or changed are dropped. Of the first results the
 * nearest come first. If the index does not know the folder, `walk` is used.
 * @param options.forReading every returned file is going to be opened through the Drive, which checks the disk and the rules itself: then files are
 * not looked up before, unless size or time matter, and come in no order
 */
export function createIndexFinder(
  index: TreeIndex,
  walk: Finder,
  limits: SearchLimits = SEARCH_LIMITS,
  { forReading = false }: { forReading?: boolean } = {},
): Finder {
  return async function* find(drive, from, { query, signal, wants = () => true }) {
    const late = new AbortController()
    const stop = AbortSignal.any([signal, late.signal])
    const subtree = index.state().phase === 'off' ? null : await nullOn('not-found', drive.subtree(from))
    const batches = subtree && (await index.find(subtree.node, query, stop))
    if (subtree === null || batches === null) return yield* walk(drive, from, { query, signal, wants })

    const timer = setTimeout(() => late.abort(), limits.ms)
    const turn = periodicYield(stop)
    const matcher = matcherOf(query)
    const isSure = ({ kind }: IndexedNode): boolean => forReading && kind === 'file' && !asksOfDisk(query)
    let cut: SearchCut | null = null
    let results = 0
    const isSeen = ({ path, kind }: IndexedNode): boolean => {
      if (!wants({ name: nameOf(path), kind }) || !subtree.reaches(path)) return false
      const isNear = segmentsOf(pathFrom(subtree.node, path) ?? path).length <= limits.depth
      if (!isNear) cut = 'depth'
      return isNear
    }
    try {
      const gathering = { query: forReading ? null : query, isSeen, turn, renew: subtree.renew, most: limits.results + 1 }
      for await (const nodes of nearestFirst(batches, gathering)) {
        for (let at = 0; at < nodes.length; at += LOOKS) {
          await turn()
          const some = nodes.slice(at, at + LOOKS)
          const sure = some.filter(isSure).map(({ path, size }) => ({ path: subtree.pathOf(path), isFolder: false, size }))
          const others = some.filter((known) => !isSure(known)).map(({ path }) => path)
          const looked = (await lookAt(others, subtree, matcher)).map(({ path, stat }) => {
            return { path, isFolder: stat.kind === 'folder', size: stat.size }
          })
          for (const found of [...sure, ...looked]) {
            if (++results > limits.results) return 'results'
            yield found
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

/** What may have changed since it was indexed. */
function asksOfDisk({ sizes, times, not }: SearchQuery): boolean {
  return [sizes, times, not.sizes, not.times].some((asked) => asked.length > 0)
}

interface Gathering {
  /** The query that ranks each portion; null for no order. */
  readonly query: SearchQuery | null
  readonly isSeen: (known: IndexedNode) => boolean
  readonly turn: () => Promise<void>
  /** Updates what is visible. */
  readonly renew: () => Promise<void> | undefined
  /** Maximum size of a portion. */
  readonly most: number
}

/** Results of the index, in portions that are sorted separately. */
async function* nearestFirst(
  batches: AsyncIterable<readonly IndexedNode[]>,
  { query, isSeen, turn, renew, most }: Gathering,
): AsyncGenerator<readonly IndexedNode[], void> {
  let gathered: IndexedNode[] = []
  let since = performance.now()
  const portion = (): IndexedNode[] => {
    const nodes = query === null ? gathered : inOrder(gathered, query)
    gathered = []
    return nodes
  }
  for await (const batch of batches) {
    await turn()
    await renew()
    for (const known of batch) if (isSeen(known)) gathered.push(known)
    if (gathered.length < most && (gathered.length === 0 || performance.now() - since < GATHER_MS)) continue
    yield portion()
    since = performance.now()
  }
  if (gathered.length > 0) yield portion()
}

function inOrder(nodes: readonly IndexedNode[], query: SearchQuery): IndexedNode[] {
  const ranked = nodes.map((known) => ({ known, rank: rankOf(known.path, query) }))
  return ranked.sort((a, b) => compareRanks(a.rank, b.rank)).map(({ known }) => known)
}

/** Nodes that exist and still match. */
async function lookAt(nodes: readonly FilePath[], subtree: SubtreeView, { finds, measures }: Matcher): Promise<WalkedEntry[]> {
  const entries = await Promise.all(nodes.map((node) => subtree.look(node)))
  return entries.filter((entry): entry is WalkedEntry => {
    if (entry === null) return false
    const { name, stat, target } = entry
    return finds({ name, ...stat, kind: target === null ? stat.kind : 'link' }) && measures(stat)
  })
}
