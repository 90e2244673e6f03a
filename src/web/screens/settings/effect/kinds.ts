import type { PlannedChange } from '../../../../shared/contract/explain.ts'
import { registerPrompts } from '../../../data/prompts.ts'
import { lazyPart } from '../../../i18n/lazy-part.ts'

declare module '../../../data/prompts.ts' {
  interface PromptKinds {
    /** Whether to save a change, with what it would open and close. */
    effect: { props: { title: string; confirmLabel: string; change: PlannedChange }; answer: true }
  }
}

registerPrompts({ effect: lazyPart(async () => (await import('./effect-dialog.tsx')).EffectDialog) })
