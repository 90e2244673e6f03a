import { createKeyedMutex } from '../../shared/keyed-mutex.ts'

/** Makes something durable. Callers that wait for the same key share a sync that began after their call. */
export type SharedSync = (key: string, sync: () => Promise<void>) => Promise<void>

/** A running sync may miss the caller's change, so callers share the next one, until it begins. */
export function createSyncSharing(): SharedSync {
  const inOrder = createKeyedMutex()
  const waiting = new Map<string, Promise<void>>()
  return (key, sync) => {
    const joined = waiting.get(key)
    if (joined !== undefined) return joined
    const mine = inOrder(key, () => {
      waiting.delete(key)
      return sync()
    })
    waiting.set(key, mine)
    return mine
  }
}
