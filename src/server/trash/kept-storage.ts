import type { Storage } from '../storage/storage.ts'

/** The storage as far as the trash may use it: what is kept out of sight, and no file content. */
export type KeptStorage = Pick<
  Storage,
  'keepingVolume' | 'keep' | 'statKept' | 'listKept' | 'restoreKept' | 'dropKept' | 'keptNodes' | 'learnVolumes' | 'space' | 'stat'
>
