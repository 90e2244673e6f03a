import * as z from 'zod/mini'
import { type SearchCut, SearchLine } from '../../shared/contract/search.ts'
import { AppError } from '../../shared/errors.ts'
import { type FilePath, parseFilePath, placeUnder } from '../../shared/file-path.ts'
import { client } from './client.ts'

/** Something that was found. */
export interface Hit {
  readonly path: FilePath
  readonly isDir: boolean
}

/**
 * Searches the names below a folder and tells what is found as it is found, in portions.
 * Fails with `offline` when the line drops before the end.
 * @returns why the search did not see everything; null when it did
 */
export async function searchBelow(
  from: FilePath,
  query: string,
  { signal, onHits }: { signal: AbortSignal; onHits: (hits: Hit[]) => void },
): Promise<SearchCut | null> {
  const response = await client.search.lines({ params: { path: from, slash: true }, query: { query } }, { signal })
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of chunksOf(response)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    const hits: Hit[] = []
    for (const line of lines) {
      if (line === '') continue
      const told = z.parse(SearchLine, JSON.parse(line))
      if ('end' in told) {
        onHits(hits)
        return told.cut
      }
      hits.push({ path: placeUnder(from, parseFilePath(told.path)), isDir: told.dir })
    }
    if (hits.length > 0) onHits(hits)
  }
  throw new AppError('offline', {})
}

/** Not every browser can walk over a stream by itself. */
async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  try {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) if (value) yield value
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}
