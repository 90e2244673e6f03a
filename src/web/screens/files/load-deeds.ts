import { inTime } from '../../data/chunks.ts'
import { loadLateTexts } from '../../i18n/i18n.tsx'

/** Deeds begin with a question, so there is time: their code and words arrive with the first of them. Fails with `ChunkMissing`. */
export async function loadDeeds() {
  const [deeds] = await Promise.all([inTime(import('./deeds.ts')), loadLateTexts()])
  return deeds
}
