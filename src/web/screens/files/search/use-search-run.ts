import { useEffect, useRef, useState } from 'react'
import type { SearchCut } from '../../../../shared/contract/search.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import type { SearchQuery } from '../../../../shared/search-query.ts'
import { compareRanks, rankOf } from '../../../../shared/search-rank.ts'
import { type Hit, searchBelow } from '../../../data/search.ts'

export type SearchState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly hits: readonly Hit[] }
  | { readonly kind: 'done'; readonly hits: readonly Hit[]; readonly cut: SearchCut | 'stopped' | null }
  | { readonly kind: 'failed'; readonly error: unknown }

const SHOWN_EVERY_MS = 100

/**
 * One search at a time: a new one, or `clear`, calls the former off. What was found stands in the order it came, and is ranked at the end. Several
 * queries are asked together; what more than one finds stands once.
 */
export function useSearchRun(initial: SearchState = { kind: 'idle' }) {
  const [state, setState] = useState(initial)
  const running = useRef<{ call: AbortController; hits: Map<FilePath, Hit> } | null>(null)
  /** The reader has begun to walk the results: they must not change places any more. */
  const settled = useRef(false)
  useEffect(() => () => running.current?.call.abort(), [])

  function callOff(): void {
    running.current?.call.abort()
    running.current = null
    settled.current = false
  }

  /** @param others asked besides the query by which what is found is ranked */
  async function run(from: FilePath, query: SearchQuery, others: readonly SearchQuery[] = []): Promise<void> {
    callOff()
    const mine = { call: new AbortController(), hits: new Map<FilePath, Hit>() }
    running.current = mine
    setState({ kind: 'running', hits: [] })
    let due: ReturnType<typeof setTimeout> | undefined
    const show = (): void => {
      due = undefined
      if (running.current === mine) setState({ kind: 'running', hits: [...mine.hits.values()] })
    }
    const take = (hits: Hit[]): void => {
      const first = mine.hits.size === 0
      for (const hit of hits) if (hit.snippets.length > 0 || !mine.hits.has(hit.path)) mine.hits.set(hit.path, hit)
      if (first) show()
      else due ??= setTimeout(show, SHOWN_EVERY_MS)
    }
    try {
      const all = [query, ...others].map((one) => searchBelow(from, one, { signal: mine.call.signal, onHits: take }))
      const cuts = await Promise.all(all)
      const hits = [...mine.hits.values()]
      const cut = cuts.find((one) => one !== null) ?? null
      if (running.current === mine) setState({ kind: 'done', hits: settled.current ? hits : ranked(hits, query), cut })
    } catch (error) {
      if (running.current === mine) setState({ kind: 'failed', error })
      mine.call.abort()
    } finally {
      clearTimeout(due)
      if (running.current === mine) running.current = null
    }
  }

  return {
    state,
    run,
    clear(): void {
      callOff()
      setState((now) => (now.kind === 'idle' ? now : { kind: 'idle' }))
    },
    /** Ends the search and keeps what it found. */
    stop(): void {
      const hits = running.current?.hits
      callOff()
      if (hits) setState({ kind: 'done', hits: [...hits.values()], cut: 'stopped' })
    },
    settle: () => void (settled.current = true),
  }
}

function ranked(hits: readonly Hit[], query: SearchQuery): Hit[] {
  return hits
    .map((hit) => ({ hit, rank: rankOf(hit.path, query) }))
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .map(({ hit }) => hit)
}
