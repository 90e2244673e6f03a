import type { Permissions } from '../../shared/contract/users.ts'
import { type FilePath, placeUnder } from '../../shared/file-path.ts'
import type { RuleSet } from './rules.ts'

/** Everything that decides what somebody may see and do. A session or a share becomes one; a Drive is opened with one. */
export interface Access {
  /** The folder of the storage that is the owner's root. Rules are relative to it. */
  readonly scope: FilePath
  /** The part of the scope that is shown: the root for users, the shared node for visitors. Relative to the scope. */
  readonly start: FilePath
  readonly may: Permissions
  /** Compiled with the same `hideDotfiles`: it alone decides what is seen. */
  readonly rules: RuleSet
  readonly hideDotfiles: boolean
  /**
   * The Access of this moment, for work that takes longer than one look; a Drive asks for it before each step. Without a promise where nothing
   * has to be looked up. Fails with `sign-in-needed` or `access-changed` where it has ended. Missing where nothing can change. A copy of an Access with other fields must not keep the `latest` of the first.
   */
  readonly latest?: () => Access | Promise<Access>
}

/** A viewer's path as rules know it: seen from the scope. */
export function inScope(access: Access, path: FilePath): FilePath {
  return placeUnder(access.start, path)
}

/** A viewer's path seen from the storage's root, links not resolved. */
export function inStorage(access: Access, path: FilePath): FilePath {
  return placeUnder(access.scope, inScope(access, path))
}

/** Whether rules and hidden names let this person see a node of that name; no look at the disk, so nothing about links. */
export function canSee(access: Access, path: FilePath): boolean {
  return access.rules.allows(inScope(access, path))
}
