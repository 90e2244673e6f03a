import { inTime } from '../../data/chunks.ts'
import { loadLateMessages } from '../../i18n/i18n.tsx'

/** Those with archives, just so. */
export async function loadArchiveDeeds() {
  const [deeds] = await Promise.all([inTime(import('./archive-deeds.ts')), loadLateMessages()])
  return deeds
}

/** Deeds begin with a question, so there is time: their code and words arrive with the first of them. Fails with `ChunkMissing`. */
export async function loadDeeds() {
  const [deeds] = await Promise.all([inTime(import('./deeds.ts')), loadLateMessages()])
  return deeds
}

/** As the deeds: what it says is not there at first. */
export async function loadStar() {
  const [deeds] = await Promise.all([inTime(import('./star.ts')), loadLateMessages()])
  return deeds
}
