import type { Right } from '../../shared/contract/endpoint.ts'
import type { ShareRights } from '../../shared/contract/shares.ts'
import { fail } from '../../shared/errors.ts'
import type { Permissions } from '../../shared/contract/users.ts'
import type { Viewer } from '../access/viewer.ts'

const NEEDED: Readonly<Record<ShareRights, readonly Right[]>> = {
  view: ['download'],
  download: ['download'],
  edit: ['download', 'create', 'modify', 'rename', 'delete'],
  drop: ['create'],
}

/**
 * A link acts with the rights of its owner, also if a token made it: so a token may make only links that allow no more than itself (as Nextcloud's
 * NC-SA-2017-001, where sharing added rights). Fails with `forbidden`.
 * @param may what the caller may do with the node
 */
export function refuseBeyondToken({ token }: Pick<Viewer, 'token'>, may: Permissions, rights: ShareRights): void {
  if (token === undefined) return
  for (const right of NEEDED[rights]) if (!may[right]) fail('forbidden', { right })
}
