import type { QueryClient } from '@tanstack/react-query'
import type { FilePath } from '../../../../shared/file-path.ts'
import { inTime } from '../../../data/chunks.ts'
import { ask, registerPrompts } from '../../../data/prompts.ts'
import type { RewindTarget } from '../../../data/rewind.ts'
import { lazyPart } from '../../../i18n/lazy-part.ts'

declare module '../../../data/prompts.ts' {
  interface PromptKinds {
    /** Asks for the moment to bring a folder back to; `to` is the suggested one. */
    rewind: { props: { path: FilePath; to: string | null }; answer: RewindTarget }
  }
}

export function registerActivity(): void {
  registerPrompts({ rewind: lazyPart(async () => (await inTime(import('./rewind-dialog.tsx'))).RewindDialog) })
}

/** Asks for a moment and brings everything below a folder back to it. @param to the suggested moment, ISO 8601 */
export async function askRewind(queries: QueryClient, path: FilePath, to: string | null = null): Promise<void> {
  // The details may be a dialog themselves.
  const target = await ask('rewind', { path, to }, { onTop: true })
  if (target === null) return
  const { rewindWithNotice } = await inTime(import('./rewind-with-notice.ts'))
  await rewindWithNotice(queries, target)
}
