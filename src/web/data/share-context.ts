import type { Permissions } from '../../shared/contract/users.ts'
import { encodeName } from '../../shared/file-path.ts'
import type { ReceivedShare } from '../../shared/contract/people-shares.ts'
import { pageConfig } from './page-config.ts'

/** The share with people that the page shows; null in the user's own tree. */
export const CURRENT_SHARE = pageConfig.WithMe ?? null

/** Base URL of the user's own tree. */
export const HOME_URL = CURRENT_SHARE === null ? pageConfig.BaseURL : pageConfig.BaseURL.slice(0, -`/with-me/${CURRENT_SHARE}`.length)

/** Where a share opens: a page of its own, below another base URL. */
export function addressOfShare({ id, name, folder }: Pick<ReceivedShare, 'id' | 'name' | 'folder'>): string {
  return `${HOME_URL}/with-me/${id}/files/${folder ? '' : encodeName(name)}`
}

/** Within a share, what the account may do elsewhere says nothing: folders say what may be done in them. */
export function withoutOwnRights<U extends { readonly perm: Permissions }>(user: U): U {
  return CURRENT_SHARE === null ? user : { ...user, perm: NOTHING }
}

const NOTHING: Permissions = {
  admin: false,
  execute: false,
  create: false,
  rename: false,
  modify: false,
  delete: false,
  share: false,
  download: false,
}
