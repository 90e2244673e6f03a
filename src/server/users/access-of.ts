import { joinPath, ROOT, type FilePath, parentOf } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import { rightsOf } from '../access/permissions.ts'
import { compileRules } from '../access/rules.ts'
import type { Settings } from '../settings/settings.ts'
import type { Account } from './account.ts'

/** What an account may see and do today. Global rules come first, its own after: the last match decides. */
export function accessOf(account: Account, settings: Settings): Access {
  return {
    scope: cleanScope(account.scope),
    start: ROOT,
    may: rightsOf(account.perm),
    rules: compileRules(settings.rules, account.rules, { hideDotfiles: account.hideDotfiles }),
    hideDotfiles: account.hideDotfiles,
  }
}

/**
 * A scope as the predecessor stored it (`.`, `./users/bob`, `/srv/x`, empty), as a folder of the storage.
 * It always lies under the root: an absolute one starts there too, and `..` does not climb above it (contract reference 4.2).
 */
export function cleanScope(scope: string): FilePath {
  let place = ROOT
  for (const segment of scope.trim().split('/')) {
    if (segment === '' || segment === '.') continue
    place = segment === '..' ? parentOf(place) : joinPath(place, segment)
  }
  return place
}
