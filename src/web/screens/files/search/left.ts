import type { Filters } from './filters.ts'
import type { SearchState } from './use-search-run.ts'

/** A search whose result somebody went to. */
export interface LeftSearch {
  readonly text: string
  readonly filters: Filters
  readonly scope: 'here' | 'everywhere'
  readonly wishes: boolean
  readonly state: SearchState
  readonly list: LeftList
}

/** The list of results as its reader left it. */
export interface LeftList {
  /** How many stood in it. */
  readonly shown: number
  readonly scrollTop: number
  /** The link that was followed, or in whose line something was done; null for none. */
  readonly href: string | null
}

/** How the results below an element stand now. */
export function listIn(body: HTMLElement | null): LeftList {
  const list = body?.querySelector('ul')
  const active = document.activeElement
  const link = active instanceof HTMLAnchorElement ? active : active?.closest('li')?.querySelector('a')
  return { shown: list?.children.length ?? 0, scrollTop: list?.scrollTop ?? 0, href: link?.getAttribute('href') ?? null }
}

/** A search that still ran was stopped when its reader left. */
export function settled(state: SearchState): SearchState {
  return state.kind === 'running' ? { kind: 'done', hits: state.hits, cut: 'stopped' } : state
}
