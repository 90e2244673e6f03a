import type { Permissions } from '../../shared/contract/users.ts'
import { type FilePath, placeUnder, ROOT } from '../../shared/file-path.ts'
import type { Access } from './access.ts'
import { NO_RIGHTS, RIGHTS, rightsOf } from './permissions.ts'

/** What an API token was made for. */
export interface TokenGrant {
  readonly perm: Permissions
  /** In the tree of its user. */
  readonly folder: FilePath
}

/**
 * The access of a token: what its user may do and see at this moment, cut to its rights and its folder. Programs and administration know no folders, so
 * a token for less than the whole tree has neither right. Without `latest`, which would be that of the whole access.
 */
export function cutTo({ latest: _latest, ...access }: Access, { perm, folder }: TokenGrant): Access {
  const wanted = rightsOf(perm)
  const may = Object.fromEntries(RIGHTS.map((right) => [right, access.may[right] && wanted[right]]))
  const cut = { ...NO_RIGHTS, ...may, ...(folder !== ROOT && { admin: false, execute: false }) }
  return { ...access, start: placeUnder(access.start, folder), may: cut }
}
