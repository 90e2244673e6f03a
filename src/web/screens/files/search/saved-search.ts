import type { Filters } from './filters.ts'
import type { SearchState } from './use-search-run.ts'

/** A search that was left by opening one of its results. */
export interface SavedSearch {
  readonly text: string
  readonly filters: Filters
  readonly scope: 'here' | 'everywhere'
  readonly contents: boolean
  readonly state: SearchState
  readonly list: SavedList
}

/** State of the result list. */
export interface SavedList {
  /** Number of rendered rows. */
  readonly shown: number
  readonly scrollTop: number
  /** The link that was followed or whose row was used; null for none. */
  readonly href: string | null
}

/** Reads the state of the result list from the DOM. */
export function listIn(body: HTMLElement | null): SavedList {
  const list = body?.querySelector('ul')
  const active = document.activeElement
  const link = active instanceof HTMLAnchorElement ? active : active?.closest('li')?.querySelector('a')
  return { shown: list?.children.length ?? 0, scrollTop: list?.scrollTop ?? 0, href: link?.getAttribute('href') ?? null }
}

/** A running search was stopped by leaving. */
export function settled(state: SearchState): SearchState {
  return state.kind === 'running' ? { kind: 'done', hits: state.hits, cut: 'stopped' } : state
}
