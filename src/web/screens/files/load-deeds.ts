import { inTime } from '../../data/chunks.ts'

/** Deeds begin with a question, so there is time: their code arrives with the first of them. Fails with `ChunkMissing`. */
export const loadDeeds = () => inTime(import('./deeds.ts'))
