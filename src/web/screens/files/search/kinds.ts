import { lazyPart } from '../../../i18n/lazy-part.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { inTime } from '../../../data/chunks.ts'
import { registerPrompts } from '../../../data/prompts.ts'
import type { Hit } from '../../../data/search.ts'
import type { LeftSearch } from './left.ts'

/** What somebody wants with what was found. */
export interface SearchAnswer {
  readonly deed: 'open' | 'reveal'
  readonly hit: Hit
  /** Of the address of what is opened: the line or page it was found on. */
  readonly fragment: string
  /** The search as it was left, to be gone on with. */
  readonly left: LeftSearch
}

declare module '../../../data/prompts.ts' {
  interface PromptKinds {
    /** With a text it looks for that at once, everywhere, also in what is in files; with a search that was left it shows what that had found. */
    search: { props: { start: FilePath; text?: string | undefined; left?: LeftSearch | undefined }; answer: SearchAnswer }
  }
}

export function registerSearch(): void {
  registerPrompts({ search: lazyPart(async () => (await inTime(import('./search-overlay.tsx'))).SearchOverlay) })
}
