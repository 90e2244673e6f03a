import type { FilePath } from '../../shared/file-path.ts'

/** Rules made ready to be asked: global ones first, the user's own after; the last match decides (contract reference 4.1). */
export interface RuleSet {
  /** True where no rule and no hidden name can ever deny, so that long listings need not ask. */
  readonly empty: boolean
  allows(path: FilePath): boolean
}
