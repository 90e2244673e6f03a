import { createLru, type Lru } from '../../shared/lru.ts'
import { type Count, COUNT_KINDS, type CountKind, type GuessCounts, KEPT_COUNTS } from './guess-counts.ts'

/** For the only server of a database: counts are kept until it stops. */
export function createMemoryGuessCounts(): GuessCounts {
  const kept = new Map(COUNT_KINDS.map((kind): [CountKind, Lru<string, Count>] => [kind, createLru(KEPT_COUNTS)]))
  const of = (kind: CountKind): Lru<string, Count> => {
    const found = kept.get(kind) ?? createLru<string, Count>(KEPT_COUNTS)
    kept.set(kind, found)
    return found
  }
  return {
    change: async (_client, _keys, step) => {
      const changes: (() => void)[] = []
      const result = step({
        get: ({ kind, name }) => of(kind).get(name),
        set: ({ kind, name }, count) => void changes.push(() => of(kind).set(name, count)),
        delete: ({ kind, name }) => void changes.push(() => of(kind).delete(name)),
      })
      for (const change of changes) change()
      return result
    },
  }
}
