import type { Subject } from '../../shared/contract/groups.ts'

/** How the database names a person, a group or everybody. */
export function keyOfSubject({ kind, id }: Subject): string {
  return kind === 'everybody' ? kind : `${kind} ${id}`
}

/** The subject of such a name. */
export function subjectOfKey(key: string): Subject {
  const [kind, id] = key.split(' ')
  return kind === 'group' || kind === 'user' ? { kind, id: Number(id) } : { kind: 'everybody', id: 0 }
}
