import { lazyPart } from '../../../i18n/lazy-part.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { inTime } from '../../../data/chunks.ts'
import { registerPrompts } from '../../../data/prompts.ts'
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

declare module '../../../data/prompts.ts' {
  interface PromptKinds {
    /** With `text`, searches names and contents everywhere at once; with `saved`, restores a previous search. */
    search: { props: { start: FilePath; text?: string | undefined; left?: SavedSearch | undefined }; answer: SearchAnswer }
  }
}

export function registerSearch(): void {
  registerPrompts({ search: lazyPart(async () => (await inTime(import('./search-overlay.tsx'))).SearchOverlay) })
}
