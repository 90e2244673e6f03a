import type { Subject } from '../../shared/contract/groups.ts'
import type { FileRight, Grant } from '../../shared/contract/rights.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { inGrantOrder } from '../access/grants.ts'
import type { Granted } from '../users/access-of.ts'

export interface WantedRole {
  readonly subject: Subject
  /** Null takes the role away. */
  readonly rights: readonly FileRight[] | null
  /** Of the storage. */
  readonly place: FilePath
}

/** What an account would have if a role were given, changed or taken away. */
export function withRole(granted: Granted, userId: number, { subject, rights, place }: WantedRole): Granted {
  const list = listOf(granted, userId, subject)
  if (list < 0) return granted
  const path = place.normalize('NFC')
  const others = (granted.grants[list] ?? []).filter((grant) => grant.regex || grant.path !== path)
  const role: Grant[] = rights === null ? [] : [{ regex: false, path, rights: [...rights] }]
  return { ...granted, grants: granted.grants.with(list, inGrantOrder([...others, ...role])) }
}

/** Everybody's grants are the first list, the account's own the last; -1 if the account is not concerned. */
function listOf({ groups, grants }: Granted, userId: number, { kind, id }: Subject): number {
  if (kind === 'everybody') return 0
  if (kind === 'user') return id === userId ? grants.length - 1 : -1
  const at = groups.findIndex((group) => group.id === id)
  return at < 0 ? -1 : at + 1
}
