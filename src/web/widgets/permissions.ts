import type { Right } from '../../shared/contract/endpoint.ts'
import type { Permissions } from '../../shared/contract/users.ts'

/** Sets one permission. Administration implies all others, and removing it leaves them; sharing requires downloading. */
export function withRight(perm: Permissions, right: Right, on: boolean): Permissions {
  if (right === 'admin' && on)
    return { admin: true, execute: true, create: true, rename: true, modify: true, delete: true, share: true, download: true }
  const next = { ...perm, [right]: on }
  return right === 'share' && on ? { ...next, download: true } : next
}

/** Why a permission cannot be changed on its own; null if it can. */
export function lockOf(perm: Permissions, right: Right): 'admin' | 'share' | null {
  if (right !== 'admin' && perm.admin) return 'admin'
  return right === 'download' && perm.share ? 'share' : null
}
