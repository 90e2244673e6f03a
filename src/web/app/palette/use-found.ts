import { useEffect, useState } from 'react'
import { nameOf, ROOT } from '../../../shared/file-path.ts'
import { asksContent } from '../../../shared/search-query.ts'
import { compareRanks, rankOf } from '../../../shared/search-rank.ts'
import { type Hit, queryFor, searchFolder } from '../../data/search.ts'
import { holdsAll } from './choose.ts'

const PAUSE_MS = 150
const SHORTEST = 2
const MOST = 8
/** So many are enough to choose from: a search that finds more is called off. */
const ENOUGH = 50

export interface Found {
  readonly hits: readonly Hit[]
  readonly state: 'idle' | 'searching' | 'failed'
}

/** The nearest few names anywhere for what was typed, asked for when the typing pauses; more typing calls the search off. */
export function useFound(typed: string): Found {
  const text = typed.trim()
  const [found, setFound] = useState<Found & { text: string }>({ text: '', hits: [], state: 'idle' })
  // Talks to the server.
  useEffect(() => {
    if (!isSearchable(text)) return
    const call = new AbortController()
    const search = async () => {
      let hits: readonly Hit[] = []
      let count = 0
      const show = (state: Found['state']) => !call.signal.aborted && setFound({ text, hits, state })
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
        // Called off, by ourselves or by whoever typed on, it is no failure: nothing is shown then.
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
  // Until there is an answer for these words, what was found for the former ones is there as far as it holds these too.
  return { hits: isOnlyWords(text) ? found.hits.filter(({ path }) => holdsAll(nameOf(path), text)) : [], state: 'searching' }
}

/** Whether one may look for it while somebody types: not in files, which would be read again with each letter. */
function isSearchable(text: string): boolean {
  return text.length >= SHORTEST && !asksContent(queryFor(text))
}

/** The nearest first. */
function nearest(hits: readonly Hit[], text: string): Hit[] {
  const query = queryFor(text)
  return hits
    .map((hit) => ({ hit, rank: rankOf(hit.path, query) }))
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .slice(0, MOST)
    .map(({ hit }) => hit)
}

/** Whether names alone tell what a text finds. */
function isOnlyWords(text: string): boolean {
  const { types, extensions, sizes, times, not } = queryFor(text)
  return [types, extensions, sizes, times, ...Object.values(not)].every((asked) => asked.length === 0)
}
