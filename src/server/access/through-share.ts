import type { Permissions } from '../../shared/contract/users.ts'
import { type FileRight, ROLES } from '../../shared/contract/rights.ts'
import type { ShareRole } from '../../shared/contract/people-shares.ts'
import { type FilePath, isWithin, parentOf, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import type { Access } from './access.ts'
import { cutAccess } from './cut.ts'
import { NO_RIGHTS } from './permissions.ts'
import { requiringRight } from './requiring.ts'
import type { RuleSet, Verdict } from './rules.ts'

export interface SharedNode {
  /** The shared node in the scope of its owner. */
  readonly path: FilePath
  readonly folder: boolean
  readonly role: ShareRole
  /** The real path of the owner's scope. */
  readonly scope: FilePath
}

export interface RecipientView {
  readonly rules: RuleSet
  /** The real path of the recipient's own scope; null if it has gone. */
  readonly scope: FilePath | null
}

/**
 * What a recipient may do with what somebody shares: what its owner sees and may share now, with the rights of the role and of the owner, and without
 * what rules deny to the recipient. A shared folder is the root. A file is alone in the folder around it, with the same name, and cannot be renamed or
 * deleted there. `latest` is left out.
 */
export function accessOfRecipient(owner: Access, { path, folder, role, scope }: SharedNode, recipient: RecipientView): Access {
  const allowed = ROLES[role].filter((right) => folder || right === 'download' || right === 'modify')
  const shared = { ...cutAccess(requiringRight(owner, 'share'), { rights: only(allowed) }), start: folder ? path : parentOf(path) }
  const limited = withoutDenied(shared, { scope, recipient })
  return { ...(folder ? limited : onlyFile(limited, path)), tellsRights: true }
}

function only(rights: readonly FileRight[]): Permissions {
  const permissions = { ...NO_RIGHTS }
  for (const right of rights) permissions[right] = true
  return permissions
}

/** What the recipient's own rules deny by its place in the storage stays denied; what they allow opens nothing. */
function withoutDenied(access: Access, { scope, recipient }: { scope: FilePath; recipient: RecipientView }): Access {
  const own = recipient.rules
  const root = recipient.scope
  if (own.neverDenies || root === null || !(isWithin(root, scope) || isWithin(scope, root))) return access
  const { rules } = access
  const inOwn = (path: FilePath): FilePath | null => pathFrom(root, placeUnder(scope, path))
  const isDenied = (path: FilePath): boolean => {
    const there = inOwn(path)
    return there !== null && own.verdict(there) === 'denied'
  }
  return withRules(access, {
    verdict: (path) => (isDenied(path) ? 'denied' : rules.verdict(path)),
    deniesBelow(path) {
      const there = inOwn(path) ?? (isWithin(root, placeUnder(scope, path)) ? ROOT : null)
      return rules.deniesBelow(path) || (there !== null && own.deniesBelow(there))
    },
  })
}

function onlyFile(access: Access, file: FilePath): Access {
  const { rules } = access
  const parent = parentOf(file)
  return withRules(access, {
    verdict: (path) => (path === file ? rules.verdict(path) : path === parent ? 'shown' : 'denied'),
    deniesBelow: (path) => path !== file,
  })
}

function withRules(access: Access, { verdict, deniesBelow }: Pick<RuleSet, 'verdict' | 'deniesBelow'>): Access {
  const rules: RuleSet = {
    ...access.rules,
    empty: false,
    neverDenies: false,
    deniedPaths: null,
    verdict,
    allows: (path) => verdict(path) === ('shown' satisfies Verdict),
    deniesBelow,
    hidesBelow: () => false,
    shownBelow: () => 'unknown',
  }
  return { ...access, rules }
}
