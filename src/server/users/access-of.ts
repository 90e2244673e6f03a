import type { Grant } from '../../shared/contract/rights.ts'
import type { Permissions, Rule } from '../../shared/contract/users.ts'
import { type FilePath, isWithin, pathFrom, ROOT } from '../../shared/file-path.ts'
import { cleanScope } from '../../shared/scope.ts'
import type { Access } from '../access/access.ts'
import { anyOf, NO_RIGHTS, rightsOf } from '../access/permissions.ts'
import { compileRules } from '../access/rules.ts'
import type { Settings } from '../settings/settings.ts'
import type { Account } from './account.ts'

/** What one account has besides its own record: its groups, and grants. */
export interface Granted {
  /** The groups, in their order; the last one decides. */
  readonly groups: readonly { readonly id: number; readonly name: string; readonly perm: Permissions; readonly rules: readonly Rule[] }[]
  /** Everybody's grants, then those of each group, then the account's own. Paths are from the storage's root, a folder before what is in it. */
  readonly grants: readonly (readonly Grant[])[]
}

/** Looks up what an account has by its groups and by grants. */
export type GrantedTo = (userId: number) => Promise<Granted>

export const NOTHING_GRANTED: Granted = { groups: [], grants: [] }

/** Rights of the account and of its groups together; those of a folder may differ. */
export function ownRights({ perm }: Pick<Account, 'perm'>, { groups }: Granted): Permissions {
  return rightsOf(groups.length === 0 ? perm : anyOf([perm, ...groups.map((group) => group.perm), NO_RIGHTS]))
}

/** The current access of an account. Global rules come first, those of its groups after them, its own last; the last match decides. */
export function accessOf(
  account: Pick<Account, 'scope' | 'perm' | 'rules' | 'hideDotfiles'>,
  settings: Pick<Settings, 'rules'>,
  granted: Granted,
): Access {
  const { hideDotfiles } = account
  const scope = cleanScope(account.scope)
  const may = ownRights(account, granted)
  return {
    scope,
    start: ROOT,
    may,
    rules: compileRules(settings.rules, account.rules, {
      hideDotfiles,
      groups: granted.groups.map(({ rules }) => rules),
      // An administrator may do everything, wherever it is.
      grants: may.admin ? [] : granted.grants.map((grants) => grantsIn(scope, grants)),
    }),
    hideDotfiles,
  }
}

/** Grants as somebody with this folder sees them: one above it is about all of it, one elsewhere about nothing. */
export function grantsIn(scope: FilePath, grants: readonly Grant[]): readonly Grant[] {
  if (scope === ROOT) return grants
  // Grants are in Unicode NFC.
  const composed = scope.normalize('NFC') as FilePath
  return grants.flatMap((grant) => {
    if (grant.regex) return [grant]
    const path = grant.path as FilePath
    if (isWithin(composed, path)) return [{ ...grant, path: ROOT }]
    const inside = pathFrom(composed, path)
    return inside === null ? [] : [{ ...grant, path: inside }]
  })
}
