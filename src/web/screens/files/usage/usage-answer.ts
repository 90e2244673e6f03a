import type { FilePath } from '../../../../shared/file-path.ts'

/** Where to go from the usage dialog. */
export interface UsageAnswer {
  readonly action: 'open' | 'reveal'
  readonly path: FilePath
  readonly isDir: boolean
}
