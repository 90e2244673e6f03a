import type { Permissions } from '../../shared/contract/users.ts'
import { type Access, mayAnywhere } from '../access/access.ts'
import { RIGHTS } from '../access/permissions.ts'

/** The most that somebody may give a token for their whole tree: what they may do anywhere in it. */
export function rightsInTree(access: Access): Permissions {
  const anywhere = RIGHTS.map((right) => [right, mayAnywhere(access, right)] as const)
  return { ...access.may, ...Object.fromEntries(anywhere) }
}
