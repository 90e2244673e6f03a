import { lazyPart } from '../../../i18n/lazy-part.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { inTime } from '../../../data/chunks.ts'
import { registerPrompts } from '../../../data/prompts.ts'
import type { Followed } from './results.tsx'
import type { SavedSearch } from './saved-search.ts'

/** An action on a result, with the search at that time, to be restored on Back. */
interface SearchAnswer extends Followed {
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
