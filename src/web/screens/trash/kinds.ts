import { inTime } from '../../data/chunks.ts'
import { registerPrompts } from '../../data/prompts.ts'
import type { Trashed } from '../../data/trash.ts'
import { lazyPart } from '../../i18n/lazy-part.ts'
import type { ConflictAnswer, Version } from '../../widgets/conflict-resolution.ts'

declare module '../../data/prompts.ts' {
  interface PromptKinds {
    /** Asks about each restored entry whose name is taken, by its id; if dismissed, these stay in the trash. */
    'trash-conflict': { props: { conflicts: readonly TakenName[] }; answer: ReadonlyMap<string, ConflictAnswer> }
  }
}

/** An entry that cannot be restored because something has its name. */
export interface TakenName {
  readonly entry: Trashed
  /** What has it. */
  readonly existing: Version
}

export function registerTrashPrompts(): void {
  registerPrompts({ 'trash-conflict': lazyPart(async () => (await inTime(import('./taken-dialog.tsx'))).TakenDialog) })
}
