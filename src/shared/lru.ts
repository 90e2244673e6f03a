/** A cache that drops its least recently used entries beyond a limit. */
export interface Lru<K, V> {
  get(key: K): V | undefined
  /** The same without counting as a use. */
  peek(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): void
  deleteWhere(test: (value: V) => boolean): void
  readonly size: number
}

/** @param options.sizeOf what an entry counts towards `limit`; 1 by default */
export function createLru<K, V>(limit: number, { sizeOf = () => 1 }: { sizeOf?: (value: V) => number } = {}): Lru<K, V> {
  // A Map keeps insertion order: the first key is the least recently used.
  const entries = new Map<K, V>()
  let total = 0

  function remove(key: K): void {
    const value = entries.get(key)
    if (value !== undefined && entries.delete(key)) total -= sizeOf(value)
  }

  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    peek: (key) => entries.get(key),
    set(key, value) {
      remove(key)
      entries.set(key, value)
      total += sizeOf(value)
      for (const oldest of entries.keys()) {
        if (total <= limit) break
        remove(oldest)
      }
    },
    delete: (key) => void remove(key),
    deleteWhere(test) {
      for (const [key, value] of entries) if (test(value)) remove(key)
    },
    get size() {
      return entries.size
    },
  }
}
