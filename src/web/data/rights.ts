import { createContext, useContext } from 'react'
import { FILE_RIGHTS, type FileRight } from '../../shared/contract/rights.ts'
import type { Permissions } from '../../shared/contract/users.ts'
import { type FilePath, nameOf, parentOf } from '../../shared/file-path.ts'
import type { FolderRights, Listing } from './listing.ts'
import type { NodePermissions } from './node-permissions.ts'
import { useUser } from './session.ts'

/** What a user may do with a node: what the server told about it, or what the account may. */
export function permissionsWith(perm: Permissions, rights: readonly FileRight[] | null | undefined): NodePermissions {
  if (!rights) return perm
  const given = Object.fromEntries(FILE_RIGHTS.map((right) => [right, rights.includes(right)])) as Record<FileRight, boolean>
  return { ...perm, ...given, ...(perm.admin && { told: true }) }
}

/** In the folder itself: for new entries. */
export function permissionsIn({ rights }: Listing, perm: Permissions): Permissions {
  return permissionsWith(perm, rights?.here)
}

/** With some entries of a folder, all of them; with the folder itself without any. Only the folder decides about new entries. */
export function permissionsFor(listing: Listing, perm: Permissions, names: Iterable<string>): Permissions {
  const here = permissionsIn(listing, perm)
  const { rights } = listing
  if (rights === null) return here
  let all = here
  for (const name of names) {
    if (!Object.hasOwn(rights.of, name)) continue
    const one = permissionsWith(perm, rights.of[name])
    all = Object.fromEntries(Object.entries(all).map(([right, has]) => [right, has && one[right as keyof Permissions]])) as Permissions
  }
  return { ...all, create: here.create }
}

/** For what is dropped on a folder: what its rights, and those of the dragged entries, let somebody do. Of folders elsewhere only the server knows. */
export function permissionsToDrop(
  listing: Listing,
  perm: Permissions,
  { target, chosen }: { target: FilePath; chosen: readonly number[] },
): Permissions {
  const names = (indices: readonly number[]): string[] => indices.flatMap((index) => listing.names[index] ?? [])
  const { rename } = permissionsFor(listing, perm, names(chosen))
  if (target !== listing.path && parentOf(target) !== listing.path) return { ...perm, rename }
  const { rights } = listing
  const there = permissionsWith(perm, target === listing.path ? rights?.here : (rights?.of[nameOf(target)] ?? rights?.here))
  return { ...there, rename: rename && (there.rename || there.create) }
}

/** What the server told about the folder or file on screen; null where the rights of the account count. */
export const RightsContext = createContext<FolderRights | null>(null)

/** Rights to what is on screen, or to an entry of the folder on screen. */
export function usePermissions(name?: string): Permissions {
  const { perm } = useUser()
  const rights = useContext(RightsContext)
  const isOwn = name !== undefined && rights !== null && Object.hasOwn(rights.of, name)
  return permissionsWith(perm, isOwn ? rights.of[name] : rights?.here)
}
