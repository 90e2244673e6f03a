import type { Permissions } from '../../shared/contract/users.ts'
import { encodeName } from '../../shared/file-path.ts'
import type { ReceivedShare } from '../../shared/contract/people-shares.ts'
import { pageConfig } from './page-config.ts'

/** The share with people that the page shows; null in the user's own tree. */
export const CURRENT_SHARE = pageConfig.WithMe ?? null

/** The view as somebody else that the page shows. */
export const CURRENT_VIEWING = pageConfig.ViewAs ?? null

/** The page shows no tree of the user's own: paths mean something else, and nothing about it is remembered. */
export const IS_ELSEWHERE = CURRENT_SHARE !== null || CURRENT_VIEWING !== null

/** Base URL of the user's own tree. */
export const HOME_URL = homeOf(pageConfig.BaseURL)

function homeOf(base: string): string {
  if (CURRENT_VIEWING !== null) return base.slice(0, -`/view-as/${CURRENT_VIEWING}`.length)
  return CURRENT_SHARE === null ? base : base.slice(0, -`/with-me/${CURRENT_SHARE}`.length)
}

/** Where a share opens: a page of its own, below another base URL. */
export function addressOfShare({ id, name, folder }: Pick<ReceivedShare, 'id' | 'name' | 'folder'>): string {
  return `${HOME_URL}/with-me/${id}/files/${folder ? '' : encodeName(name)}`
}

/** Elsewhere, what the account may do in its own tree says nothing: folders say what may be done in them. */
export function withoutOwnRights<U extends { readonly perm: Permissions }>(user: U): U {
  return IS_ELSEWHERE ? { ...user, perm: NOTHING } : user
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
