import type { Permissions } from '../../shared/contract/users.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import type { Access } from './access.ts'
import { cutAccess } from './cut.ts'
import { rightsOf } from './permissions.ts'

/** What an API token was made for. */
export interface TokenGrant {
  readonly perm: Permissions
  /** In the tree of its user. */
  readonly folder: FilePath
}

/**
 * The access of a token: what its user may do and see at this moment, by their account and by grants, cut to its rights and its folder. Programs and
 * administration know no folders, so a token for less than the whole tree has neither right.
 */
export function cutTo(access: Access, { perm, folder }: TokenGrant): Access {
  const rights = { ...rightsOf(perm), ...(folder !== ROOT && { admin: false, execute: false }) }
  return cutAccess(access, { rights, start: folder })
}
