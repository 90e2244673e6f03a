import type { Right } from '../../shared/contract/endpoint.ts'
import { FILE_RIGHTS } from '../../shared/contract/rights.ts'
import type { Permissions } from '../../shared/contract/users.ts'
import { type FilePath, placeUnder } from '../../shared/file-path.ts'
import { ALL_RIGHTS, bothOf, rightsOf } from './permissions.ts'
import type { RuleSet } from './rules.ts'

/** Everything that decides what somebody may see and do. A session or a share is turned into an Access; a Drive is opened with one. */
export interface Access {
  /** The folder of the storage that is the owner's root. Rules are relative to it. */
  readonly scope: FilePath
  /** The part of the scope that is shown, relative to it: the root for users, the shared node for visitors. */
  readonly start: FilePath
  /** Where no grant says otherwise; what may be done with a node, only `rightsAt` tells. */
  readonly may: Permissions
  /** Whatever grants give, it is cut to these rights: those of a link or a token. Everything if absent. */
  readonly most?: Permissions
  /** Must match the `hideDotfiles` that `rules` were compiled with; the rules alone decide what is visible. */
  readonly rules: RuleSet
  readonly hideDotfiles: boolean
  /** Folders say what may be done in them also where it is the same everywhere: the client knows only the rights of its own account. */
  readonly tellsRights?: boolean
  /** The link or share that it came by, and who gave it; absent for one's own tree. */
  readonly given?: { readonly by: 'link' | 'people'; readonly share: string; readonly owner: number }
  /**
   * The current Access, for work that takes longer than one check; a Drive asks for it before each step. Synchronous if nothing needs to be looked
   * up. Fails with `sign-in-needed` or `access-changed` when access has ended. Absent if nothing can change. A copy of an Access with other fields
   * must not keep the original's `latest`.
   */
  readonly latest?: () => Access | Promise<Access>
}

/** A viewer's path relative to the scope, as rules expect it. */
export function inScope(access: Access, path: FilePath): FilePath {
  return placeUnder(access.start, path)
}

/** A viewer's path from the root of the storage; links are not resolved. */
export function inStorage(access: Access, path: FilePath): FilePath {
  return placeUnder(access.scope, inScope(access, path))
}

/** Whether rules and hidden names let this person see a node of that name. Does not read the disk, so it says nothing about links. */
export function canSee(access: Access, path: FilePath): boolean {
  return access.rules.allows(inScope(access, path))
}

/** What this person may do with a node of that name, existing or not, visible or not. Does not read the disk, so it says nothing about links. */
export function rightsAt(access: Access, path: FilePath): Permissions {
  return rightsInScope(access, inScope(access, path))
}

/** The same for a path relative to the scope. */
export function rightsInScope({ may, most = ALL_RIGHTS, rules: { grants } }: Access, path: FilePath): Permissions {
  if (grants.isUniform || may.admin) return rightsOf(may)
  const granted = grants.rightsAt(path)
  return granted === null ? may : bothOf({ admin: false, execute: may.execute, ...granted }, most)
}

/** What this person may do at some place at least: a call that needs a right is refused at once only where nothing gives it. */
export function mayAnywhere({ may, most = ALL_RIGHTS, rules: { grants } }: Access, right: Right): boolean {
  if (rightsOf(may)[right] && (may.admin || !grants.coversAll || right === 'execute')) return true
  const isGranted = FILE_RIGHTS.some((name) => name === right && grants.somewhere[name])
  return isGranted && most[right]
}
