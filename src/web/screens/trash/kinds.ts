import { inTime } from '../../data/chunks.ts'
import { registerPrompts } from '../../data/prompts.ts'
import { lazyPart } from '../../i18n/lazy-part.ts'
import type { ConflictAnswer } from '../../widgets/conflict-resolution.ts'
import type { TakenName } from './taken-name.ts'

declare module '../../data/prompts.ts' {
  interface PromptKinds {
    /** Asks about each restored entry whose name is taken, by its id; if dismissed, these stay in the trash. */
    'trash-conflict': { props: { conflicts: readonly TakenName[] }; answer: ReadonlyMap<string, ConflictAnswer> }
  }
}

export function registerTrashPrompts(): void {
  registerPrompts({ 'trash-conflict': lazyPart(async () => (await inTime(import('./taken-dialog.tsx'))).TakenDialog) })
}
