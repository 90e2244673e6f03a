/** A map that drops the least recently used entry beyond `limit`, so that clients cannot fill the memory. */
export interface Recent<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): void
  deleteWhere(test: (value: V) => boolean): void
  readonly size: number
}

export function createRecent<K, V>(limit: number): Recent<K, V> {
  // A Map keeps insertion order: the first key is the least recently used.
  const entries = new Map<K, V>()
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      for (const oldest of entries.keys()) {
        if (entries.size <= limit) break
        entries.delete(oldest)
      }
    },
    delete: (key) => void entries.delete(key),
    deleteWhere(test) {
      for (const [key, value] of entries) if (test(value)) entries.delete(key)
    },
    get size() {
      return entries.size
    },
  }
}
