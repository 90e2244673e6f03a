import { inTime } from '../../../data/chunks.ts'
import { ask, registerPrompts } from '../../../data/prompts.ts'
import type { FileContent, VersionedFile } from '../../../data/versions.ts'
import { lazyPart } from '../../../i18n/lazy-part.ts'
import type { QueryClient } from '@tanstack/react-query'

declare module '../../../data/prompts.ts' {
  interface PromptKinds {
    /** Answers with the version to restore. `unsaved`: there are changes that a restoration would discard. */
    versions: { props: { file: VersionedFile; unsaved: boolean }; answer: FileContent }
  }
}

export function registerVersions(): void {
  registerPrompts({ versions: lazyPart(async () => (await inTime(import('./versions-dialog.tsx'))).VersionsDialog) })
}

/** Shows the versions of a file, and restores the one that was chosen. */
export async function showVersions(queries: QueryClient, file: VersionedFile, { unsaved = false } = {}): Promise<void> {
  const chosen = await ask('versions', { file, unsaved })
  if (chosen === null) return
  const { restoreWithNotice } = await inTime(import('./restore-with-notice.ts'))
  await restoreWithNotice(queries, file.path, chosen)
}
