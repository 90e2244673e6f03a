import type { FilePath } from '../../../../shared/file-path.ts'
import { inTime } from '../../../data/chunks.ts'
import { registerPrompts } from '../../../data/prompts.ts'
import { lazyPart } from '../../../i18n/lazy-part.ts'

declare module '../../../data/prompts.ts' {
  interface PromptKinds {
    /** Who may do what with a folder or a file; each change is saved at once. */
    access: { props: { path: FilePath }; answer: never }
  }
}

export function registerAccess(): void {
  registerPrompts({ access: lazyPart(async () => (await inTime(import('./access-dialog.tsx'))).AccessDialog) })
}
