import { useEffect, useRef, useState } from 'react'
import type { SearchCut } from '../../../../shared/contract/search.ts'
import { isAppError } from '../../../../shared/errors.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import type { SearchQuery } from '../../../../shared/search-query.ts'
import { compareRanks, rankOf } from '../../../../shared/search-rank.ts'
import { type Hit, searchFolder } from '../../../data/search.ts'

export type SearchState =
  | { readonly kind: 'idle' }
  /** `stale`: results of the previous query, until the first new one arrives. `read`: number of files read. */
  | { readonly kind: 'running'; readonly hits: readonly Hit[]; readonly stale: boolean; readonly read: number }
  | { readonly kind: 'done'; readonly hits: readonly Hit[]; readonly cut: SearchCut | 'stopped' | null }
  | { readonly kind: 'failed'; readonly error: unknown }

/** A search request. */
export interface SearchRequest {
  readonly from: FilePath
  /** Used for ranking. */
  readonly query: SearchQuery
  /** Additional queries, started after a delay, because they read file contents. */
  readonly others: readonly SearchQuery[]
  readonly othersAfterMs: number
}

const SHOWN_EVERY_MS = 100
/** Maximum attempts while the server is busy. */
const MOST_TRIES = 5

/**
 * Runs one search at a time: a new one, or `clear`, cancels the previous. Results are shown in order of arrival and ranked at the end. Several
 * queries run in parallel; duplicates are removed.
 */
export function useSearchRun(initial: SearchState = { kind: 'idle' }) {
  const [state, setState] = useState(initial)
  const running = useRef<{ call: AbortController; hits: Map<FilePath, Hit> } | null>(null)
  /** The user navigates the results, so they must not be reordered. */
  const settled = useRef(false)
  useEffect(() => () => running.current?.call.abort(), [])

  function callOff(): void {
    running.current?.call.abort()
    running.current = null
    settled.current = false
  }

  async function run({ from, query, others, othersAfterMs }: SearchRequest): Promise<void> {
    callOff()
    const current = { call: new AbortController(), hits: new Map<FilePath, Hit>() }
    const { signal } = current.call
    running.current = current
    let read = 0
    setState((now) => ({ kind: 'running', hits: hitsOf(now), stale: hitsOf(now).length > 0, read }))
    let due: ReturnType<typeof setTimeout> | undefined
    const show = (): void => {
      due = undefined
      if (running.current === current) setState({ kind: 'running', hits: [...current.hits.values()], stale: false, read })
    }
    const showSoon = (): void => void (due ??= setTimeout(show, SHOWN_EVERY_MS))
    const take = (hits: readonly Hit[]): void => {
      const first = current.hits.size === 0 && hits.length > 0
      for (const hit of hits) if (hit.snippets.length > 0 || !current.hits.has(hit.path)) current.hits.set(hit.path, hit)
      if (first) show()
      else showSoon()
    }
    const onRead = (files: number): void => {
      read = files
      showSoon()
    }
    const search = async (one: SearchQuery, afterMs: number): Promise<SearchCut | null> => {
      await pause(afterMs, signal)
      return retryWhileBusy(() => searchFolder(from, one, { signal, onHits: take, onRead }), signal)
    }
    try {
      const names = search(query, 0).then((cut) => {
        // The first response, even an empty one, replaces the stale results.
        if (current.hits.size === 0) show()
        return cut
      })
      const cuts = await Promise.all([names, ...others.map((one) => search(one, othersAfterMs))])
      const hits = [...current.hits.values()]
      const cut = cuts.find((one) => one !== null) ?? null
      if (running.current === current) setState({ kind: 'done', hits: settled.current ? hits : ranked(hits, query), cut })
    } catch (error) {
      if (running.current === current) setState({ kind: 'failed', error })
      current.call.abort()
    } finally {
      clearTimeout(due)
      if (running.current === current) running.current = null
    }
  }

  return {
    state,
    run,
    clear(): void {
      callOff()
      setState((now) => (now.kind === 'idle' ? now : { kind: 'idle' }))
    },
    /** Ends the search and keeps its results. */
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

/** Retries after the time that a busy server requests: the search just cancelled may still be ending. */
async function retryWhileBusy<Value>(search: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  for (let tries = 1; ; tries++) {
    try {
      return await search()
    } catch (error) {
      if (!isAppError(error, 'too-many-requests') || tries === MOST_TRIES) throw error
      await pause((error.detail.retryAfterSeconds ?? 1) * 1000, signal)
    }
  }
}

/** Rejects when aborted. */
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
