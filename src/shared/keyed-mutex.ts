/** Runs one task per key at a time, in order of arrival. */
export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work)
    const done = mine.catch(() => undefined).then(() => void (last.get(key) === done && last.delete(key)))
    last.set(key, done)
    return mine
  }
}
