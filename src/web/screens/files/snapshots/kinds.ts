import type { FilePath } from '../../../../shared/file-path.ts'
import { inTime } from '../../../data/chunks.ts'
import { ask, registerPrompts } from '../../../data/prompts.ts'
import type { ConflictAnswer } from '../../../data/uploads/send.ts'
import { lazyPart } from '../../../i18n/lazy-part.ts'
import type { Conflict } from '../../../widgets/conflict-resolution.ts'

declare module '../../../data/prompts.ts' {
  interface PromptKinds {
    /** Shows a folder as snapshots have it. */
    snapshots: { props: { folder: FilePath }; answer: never }
    /** Asks what to do if the name of what is restored is taken. */
    'snapshot-conflict': { props: { conflict: Conflict<FilePath> }; answer: ConflictAnswer }
  }
}

export function registerSnapshots(): void {
  registerPrompts({
    snapshots: lazyPart(async () => (await inTime(import('./snapshots-dialog.tsx'))).SnapshotsDialog),
    'snapshot-conflict': lazyPart(async () => (await inTime(import('./snapshot-conflict-dialog.tsx'))).SnapshotConflictDialog),
  })
}

export async function showSnapshots(folder: FilePath): Promise<void> {
  await ask('snapshots', { folder })
}
