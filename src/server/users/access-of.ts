import { ROOT } from '../../shared/file-path.ts'
import { cleanScope } from '../../shared/scope.ts'
import type { Access } from '../access/access.ts'
import { rightsOf } from '../access/permissions.ts'
import { compileRules } from '../access/rules.ts'
import type { Settings } from '../settings/settings.ts'
import type { Account } from './account.ts'

/** The current access of an account. Global rules come first, its own after them; the last match decides. */
export function accessOf(account: Pick<Account, 'scope' | 'perm' | 'rules' | 'hideDotfiles'>, settings: Settings): Access {
  return {
    scope: cleanScope(account.scope),
    start: ROOT,
    may: rightsOf(account.perm),
    rules: compileRules(settings.rules, account.rules, { hideDotfiles: account.hideDotfiles }),
    hideDotfiles: account.hideDotfiles,
  }
}
