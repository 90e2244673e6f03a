import { useEffect, useState } from 'react'
import { nameOf, ROOT } from '../../../shared/file-path.ts'
import { asksContent } from '../../../shared/search-query.ts'
import { compareRanks, rankOf } from '../../../shared/search-rank.ts'
import { type Hit, queryFor, searchFolder } from '../../data/search.ts'
import { matchesAllWords } from './rank-matches.ts'

const PAUSE_MS = 150
const MIN_CHARACTERS = 2
const MOST = 8
/** A search is cancelled after this many results. */
const ENOUGH = 50

export interface NameSearch {
  readonly hits: readonly Hit[]
  readonly state: 'idle' | 'searching' | 'failed'
}

/** The best name matches in all folders, searched when typing pauses; further typing cancels the search. */
export function useNameSearch(typed: string): NameSearch {
  const text = typed.trim()
  const [found, setFound] = useState<NameSearch & { text: string }>({ text: '', hits: [], state: 'idle' })
  // Requests from the server.
  useEffect(() => {
    if (!isSearchable(text)) return
    const call = new AbortController()
    const search = async () => {
      let hits: readonly Hit[] = []
      let count = 0
      const show = (state: NameSearch['state']) => !call.signal.aborted && setFound({ text, hits, state })
      try {
        await searchFolder(ROOT, queryFor(text), {
          signal: call.signal,
          onHits: (some) => {
            hits = nearest([...hits, ...some], text)
            count += some.length
            if (count < ENOUGH) return show('searching')
            show('idle')
            call.abort()
          },
        })
        show('idle')
      } catch {
        // A cancelled search is not a failure.
        show('failed')
      }
    }
    const pause = setTimeout(() => void search(), PAUSE_MS)
    return () => {
      clearTimeout(pause)
      call.abort()
    }
  }, [text])
  if (found.text === text) return found
  if (!isSearchable(text)) return { hits: [], state: 'idle' }
  // Until the new results arrive, show the previous ones that still match.
  return { hits: isOnlyWords(text) ? found.hits.filter(({ path }) => matchesAllWords(nameOf(path), text)) : [], state: 'searching' }
}

/** Whether a query can be run while typing: not content searches, which would read files again for every letter. */
function isSearchable(text: string): boolean {
  return text.length >= MIN_CHARACTERS && !asksContent(queryFor(text))
}

/** Best match first. */
function nearest(hits: readonly Hit[], text: string): Hit[] {
  const query = queryFor(text)
  return hits
    .map((hit) => ({ hit, rank: rankOf(hit.path, query) }))
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .slice(0, MOST)
    .map(({ hit }) => hit)
}

/** Whether a query matches names only. */
function isOnlyWords(text: string): boolean {
  const { types, extensions, sizes, times, not } = queryFor(text)
  return [types, extensions, sizes, times, ...Object.values(not)].every((asked) => asked.length === 0)
}
