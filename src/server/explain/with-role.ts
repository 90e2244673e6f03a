import type { Subject } from '../../shared/contract/groups.ts'
import type { FileRight, Grant } from '../../shared/contract/rights.ts'
import { inGrantOrder } from '../access/grants.ts'
import type { Granted } from '../users/access-of.ts'

export interface WantedRole {
  readonly subject: Subject
  /** Null takes the role away. */
  readonly rights: readonly FileRight[] | null
  /** Of the storage, or a pattern. */
  readonly path: string
  readonly regex?: boolean
}

/** What an account would have if a role were given, changed or taken away. */
export function withRole(granted: Granted, userId: number, { subject, rights, regex = false, ...at }: WantedRole): Granted {
  const list = listOf(granted, userId, subject)
  if (list < 0) return granted
  const path = regex ? at.path : at.path.normalize('NFC')
  const others = (granted.grants[list] ?? []).filter((grant) => grant.regex !== regex || grant.path !== path)
  const role: Grant[] = rights === null ? [] : [{ regex, path, rights: [...rights] }]
  return { ...granted, grants: granted.grants.with(list, inGrantOrder([...others, ...role])) }
}

/** Everybody's grants are the first list, the account's own the last; -1 if the account is not concerned. */
function listOf({ groups, grants }: Granted, userId: number, { kind, id }: Subject): number {
  if (kind === 'everybody') return 0
  if (kind === 'user') return id === userId ? grants.length - 1 : -1
  const at = groups.findIndex((group) => group.id === id)
  return at < 0 ? -1 : at + 1
}
