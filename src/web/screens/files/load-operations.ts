import { inTime } from '../../data/chunks.ts'
import { loadLateMessages } from '../../i18n/i18n.tsx'

/** Like `loadOperations`, for archives. */
export async function loadArchiveOperations() {
  const [operations] = await Promise.all([inTime(import('./archive-operations.ts')), loadLateMessages()])
  return operations
}

/** Operations start with a dialog, so their code and messages can be loaded on first use. Fails with `ChunkMissing`. */
export async function loadOperations() {
  const [operations] = await Promise.all([inTime(import('./operations.ts')), loadLateMessages()])
  return operations
}
