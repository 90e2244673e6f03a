import type { FilePath } from '../../../../shared/file-path.ts'
import { inTime } from '../../../data/chunks.ts'
import type { DuplicateGroup, UsageItem } from '../../../data/usage.ts'
import { registerPrompts } from '../../../data/prompts.ts'
import { lazyPart } from '../../../i18n/lazy-part.ts'
import type { UsageAnswer } from './use-usage-actions.ts'

declare module '../../../data/prompts.ts' {
  interface PromptKinds {
    /** Disk usage of a folder. */
    usage: { props: { folder: FilePath }; answer: UsageAnswer }
    /** Asks which file of each group to keep; answers with those to delete. */
    'keep-one': { props: { groups: readonly DuplicateGroup[] }; answer: readonly UsageItem[] }
  }
}

export function registerUsage(): void {
  registerPrompts({
    usage: lazyPart(async () => (await inTime(import('./usage-dialog.tsx'))).UsageDialog),
    'keep-one': lazyPart(async () => (await inTime(import('./keep-dialog.tsx'))).KeepDialog),
  })
}
