import type { Permissions } from '../../shared/contract/users.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { RuleSet } from './rules.ts'

/** Everything that decides what somebody may see and do. A session or a share becomes one; a Drive is opened with one. */
export interface Access {
  /** The folder of the storage that is the owner's root. Rules are relative to it. */
  readonly scope: FilePath
  /** The part of the scope that is shown: the root for users, the shared node for visitors. Relative to the scope. */
  readonly start: FilePath
  readonly may: Permissions
  readonly rules: RuleSet
  readonly hideDotfiles: boolean
}
