import type { SearchCut, SearchHit } from '../../shared/contract/search.ts'
import { encodeFilePath, type FilePath, pathFrom } from '../../shared/file-path.ts'
import type { SearchQuery } from '../../shared/search-query.ts'
import { compareRanks, rankOf } from '../../shared/search-rank.ts'
import type { Drive } from '../drive/drive.ts'
import type { Finder, FinderOptions, Found } from './finder.ts'

export interface SearchTask {
  readonly drive: Drive
  readonly from: FilePath
  readonly query: SearchQuery
  readonly signal: AbortSignal
  readonly onRead?: FinderOptions['onRead']
}

/** Hits as they are found; returns why it was cut short, or null. */
export async function* searchBelow(
  finder: Finder,
  { drive, from, query, signal, onRead }: SearchTask,
): AsyncGenerator<SearchHit, SearchCut | null> {
  const found = finder(drive, from, { query, signal, ...(onRead && { onRead }) })
  try {
    for (;;) {
      const { value, done } = await found.next()
      if (done === true) return value
      yield hitFrom(from, value)
    }
  } finally {
    await found.return(null)
  }
}

/** All of them, the nearest first. */
export async function searchRanked(finder: Finder, task: SearchTask): Promise<{ hits: SearchHit[]; cut: SearchCut | null }> {
  const ranked: { hit: SearchHit; rank: ReturnType<typeof rankOf> }[] = []
  const hits = searchBelow(finder, task)
  for (;;) {
    const { value, done } = await hits.next()
    if (done !== true) ranked.push({ hit: value, rank: rankOf(value.path, task.query) })
    else return { hits: ranked.sort((a, b) => compareRanks(a.rank, b.rank)).map(({ hit }) => hit), cut: value }
  }
}

function hitFrom(from: FilePath, { path, isFolder, snippets }: Found): SearchHit {
  const inside = (pathFrom(from, path) ?? path).slice(1)
  const hit = { path: inside, dir: isFolder, url: `/files${encodeFilePath(path)}${isFolder ? '/' : ''}` }
  return snippets === undefined ? hit : { ...hit, snippets: [...snippets] }
}
