import * as z from 'zod/mini'
import { type SearchCut, SearchLine, type SearchSnippet, search } from '../../shared/contract/search.ts'
import { AppError } from '../../shared/errors.ts'
import { type FilePath, parseFilePath, placeUnder } from '../../shared/file-path.ts'
import { parseQuery, printQuery, type SearchQuery } from '../../shared/search-query.ts'
import { clientFor } from './client.ts'
import { linesOf } from './lines.ts'

const client = clientFor({ search })

/** A search result. */
export interface Hit {
  readonly path: FilePath
  readonly isDir: boolean
  /** Matching lines; empty unless contents are searched. */
  readonly snippets: readonly SearchSnippet[]
}

export interface SearchOptions {
  readonly signal: AbortSignal
  readonly onHits: (hits: Hit[]) => void
  /** Reports the number of files read, when contents are searched. */
  readonly onRead?: (files: number) => void
}

/** Parses a query as the web interface defines it: names contain every word (decision 046). */
export function queryFor(text: string): SearchQuery {
  return { ...parseQuery(text, new Date()), allWords: true }
}

/**
 * Searches below a folder and reports results in batches. Fails with `offline` if the connection drops.
 * @returns why the search was incomplete; null if it was complete
 */
export async function searchFolder(
  from: FilePath,
  query: SearchQuery,
  { signal, onHits, onRead }: SearchOptions,
): Promise<SearchCut | null> {
  const asked = { query: printQuery(query), match: query.allWords === true ? ('all' as const) : undefined }
  const response = await client.search.lines({ params: { path: from, slash: true }, query: asked }, { signal })
  for await (const lines of linesOf(response)) {
    const hits: Hit[] = []
    for (const line of lines) {
      if (line === '') continue
      const told = z.parse(SearchLine, JSON.parse(line))
      if ('end' in told) {
        onHits(hits)
        return told.cut
      }
      if ('read' in told) {
        onRead?.(told.read)
        continue
      }
      hits.push({ path: placeUnder(from, parseFilePath(told.path)), isDir: told.dir, snippets: told.snippets ?? [] })
    }
    if (hits.length > 0) onHits(hits)
  }
  throw new AppError('offline', {})
}
