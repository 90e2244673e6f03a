import { useEffect, useRef, useState } from 'react'
import type { SearchCut } from '../../../../shared/contract/search.ts'
import { isAppError } from '../../../../shared/errors.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import type { SearchQuery } from '../../../../shared/search-query.ts'
import { compareRanks, rankOf } from '../../../../shared/search-rank.ts'
import { type Hit, searchFolder } from '../../../data/search.ts'

export type SearchState =
  | { readonly kind: 'idle' }
  /** `stale`: what stands there was found for the words before, until there is an answer for these. `read`: files that were looked into. */
  | { readonly kind: 'running'; readonly hits: readonly Hit[]; readonly stale: boolean; readonly read: number }
  | { readonly kind: 'done'; readonly hits: readonly Hit[]; readonly cut: SearchCut | 'stopped' | null }
  | { readonly kind: 'failed'; readonly error: unknown }

/** What is searched, and where. */
export interface SearchOrder {
  readonly from: FilePath
  /** What is found is ranked by it. */
  readonly query: SearchQuery
  /** Asked besides, after a pause: these read files, which is not worth it for half a word. */
  readonly others: readonly SearchQuery[]
  readonly othersAfterMs: number
}

const SHOWN_EVERY_MS = 100
/** How often a server that is busy is asked again. */
const MOST_TRIES = 5

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

  async function run({ from, query, others, othersAfterMs }: SearchOrder): Promise<void> {
    callOff()
    const mine = { call: new AbortController(), hits: new Map<FilePath, Hit>() }
    const { signal } = mine.call
    running.current = mine
    let read = 0
    setState((now) => ({ kind: 'running', hits: hitsOf(now), stale: hitsOf(now).length > 0, read }))
    let due: ReturnType<typeof setTimeout> | undefined
    const show = (): void => {
      due = undefined
      if (running.current === mine) setState({ kind: 'running', hits: [...mine.hits.values()], stale: false, read })
    }
    const showSoon = (): void => void (due ??= setTimeout(show, SHOWN_EVERY_MS))
    const take = (hits: readonly Hit[]): void => {
      const first = mine.hits.size === 0 && hits.length > 0
      for (const hit of hits) if (hit.snippets.length > 0 || !mine.hits.has(hit.path)) mine.hits.set(hit.path, hit)
      if (first) show()
      else showSoon()
    }
    const onRead = (files: number): void => {
      read = files
      showSoon()
    }
    const search = async (one: SearchQuery, afterMs: number): Promise<SearchCut | null> => {
      await pause(afterMs, signal)
      return untilServed(() => searchFolder(from, one, { signal, onHits: take, onRead }), signal)
    }
    try {
      const names = search(query, 0).then((cut) => {
        // There is an answer, and be it that nothing is called so: what was found before goes.
        if (mine.hits.size === 0) show()
        return cut
      })
      const cuts = await Promise.all([names, ...others.map((one) => search(one, othersAfterMs))])
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

export function hitsOf(state: SearchState): readonly Hit[] {
  return state.kind === 'running' || state.kind === 'done' ? state.hits : []
}

/** A server that has too many searches now is asked again when it says so: the one that was just called off may still be ending. */
async function untilServed<Value>(search: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  for (let tries = 1; ; tries++) {
    try {
      return await search()
    } catch (error) {
      if (!isAppError(error, 'too-many-requests') || tries === MOST_TRIES) throw error
      await pause((error.detail.retryAfterSeconds ?? 1) * 1000, signal)
    }
  }
}

/** Fails when it is called off. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason as Error)
      },
      { once: true },
    )
  })
}

function ranked(hits: readonly Hit[], query: SearchQuery): Hit[] {
  return hits
    .map((hit) => ({ hit, rank: rankOf(hit.path, query) }))
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .map(({ hit }) => hit)
}
