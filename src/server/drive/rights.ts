import type { Right } from '../../shared/contract/endpoint.ts'
import type { FileRight } from '../../shared/contract/rights.ts'
import type { Permissions } from '../../shared/contract/users.ts'
import { fail } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { type Access, inScope, rightsInScope } from '../access/access.ts'
import { bothOf } from '../access/permissions.ts'
import type { DriveContext, ResolvedPath } from './context.ts'

/** One node by the path that was asked for and the one that it really has. */
export type RightsPlace = Pick<ResolvedPath, 'alias' | 'real'>

/** What both paths give: a link gives nothing that its target does not. */
export function rightsOfPlace({ access }: Pick<DriveContext, 'access'>, { alias, real }: RightsPlace): Permissions {
  const asked = rightsInScope(access, alias)
  return alias === real ? asked : bothOf(asked, rightsInScope(access, real))
}

/** A path that nothing was looked up for yet. */
export function askedPlace(access: Access, path: FilePath): RightsPlace {
  const alias = inScope(access, path)
  return { alias, real: alias }
}

export function requireRights(context: Pick<DriveContext, 'access'>, place: RightsPlace, rights: readonly Right[]): void {
  const may = rightsOfPlace(context, place)
  for (const right of rights) if (!may[right]) fail('forbidden', { right })
}

/** For content: fails with `download-refused`, and in strict work with `access-changed` if the viewer has lost the right since it began. */
export function requireDownload({ access, began }: Pick<DriveContext, 'access' | 'began'>, place: RightsPlace): void {
  if (rightsOfPlace({ access }, place).download) return
  if (began !== null && began !== access && rightsOfPlace({ access: began }, place).download) fail('access-changed', {})
  fail('download-refused', {})
}

/** Whether everything below has the rights of the node itself, so that no walk is needed to know them. */
export function hasSameRightsBelow({ access: { rules } }: Pick<DriveContext, 'access'>, { alias, real }: RightsPlace): boolean {
  return rules.grants.isSameBelow(alias) && rules.grants.isSameBelow(real)
}

/** What somebody who moves a node to another place must not be able to do with it there, unless they may where it is. A copy leaves it there. */
const GAINED_BY: Readonly<Record<'create' | 'rename', readonly FileRight[]>> = {
  create: ['download'],
  rename: ['download', 'modify', 'delete'],
}

export interface TransferStep {
  readonly from: RightsPlace
  readonly to: RightsPlace
  /** `create` for a copy, `rename` for a move. */
  readonly right: 'create' | 'rename'
  readonly replace: boolean
}

/**
 * Fails with `forbidden` if one node may not be copied or moved. A move needs `rename` at the source, and at the target that or `create`. What may not be
 * read, changed or removed where it is, cannot be brought to a place where it could be.
 */
export function refuseTransfer(context: Pick<DriveContext, 'access'>, { from, to, right, replace }: TransferStep): void {
  const [here, there] = [rightsOfPlace(context, from), rightsOfPlace(context, to)]
  if (right === 'rename' && !here.rename) fail('forbidden', { right })
  if (!there[right] && !there.create) fail('forbidden', { right })
  if (replace && !there.modify) fail('forbidden', { right: 'modify' })
  refuseGained(here, there, right)
}

/** Fails with `forbidden` if a node that comes back to another place could be read, changed or removed there by somebody who could not where it was. */
export function refuseGain(context: Pick<DriveContext, 'access'>, from: RightsPlace, to: RightsPlace): void {
  refuseGained(rightsOfPlace(context, from), rightsOfPlace(context, to), 'rename')
}

function refuseGained(here: Permissions, there: Permissions, right: keyof typeof GAINED_BY): void {
  for (const gained of GAINED_BY[right]) if (there[gained] && !here[gained]) fail('forbidden', { right: gained })
}
