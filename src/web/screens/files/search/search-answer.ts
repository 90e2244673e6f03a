import type { Hit } from '../../../data/search.ts'
import type { SavedSearch } from './saved-search.ts'

/** An action on a search result. */
export interface SearchAnswer {
  readonly action: 'open' | 'reveal'
  readonly hit: Hit
  /** URL fragment with the line or page of the match. */
  readonly fragment: string
  /** The search at that time, to be restored on Back. */
  readonly saved: SavedSearch
}
