import type { Subject } from './contract/groups.ts'

/** A subject as one text, as databases keep it: `everybody`, `group 7` or `user 7`. */
export function subjectKey({ kind, id }: Subject): string {
  return kind === 'everybody' ? kind : `${kind} ${id}`
}

/** The subject of a text that `subjectKey` wrote. */
export function subjectFrom(key: string): Subject {
  const [kind, id] = key.split(' ')
  return kind === 'group' || kind === 'user' ? { kind, id: Number(id) } : { kind: 'everybody', id: 0 }
}
