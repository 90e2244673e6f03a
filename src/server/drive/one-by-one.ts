import type { FilePath } from '../../shared/file-path.ts'
import { createKeyedMutex, type KeyedMutex } from '../../shared/keyed-mutex.ts'
import type { Storage } from '../storage/storage.ts'

/** Many Drives use one storage, and what they must take turns for is the storage's node. Forgotten with the storage. */
const mutexes = new WeakMap<Storage, KeyedMutex>()

/** Runs operations on the same node one after the other, in order of arrival, and in turn with other servers. */
export function oneByOne<T>(storage: Storage, node: FilePath, work: () => Promise<T>): Promise<T> {
  const mutex = mutexes.get(storage) ?? createKeyedMutex()
  mutexes.set(storage, mutex)
  return mutex(node, () => storage.exclusively?.(node, work) ?? work())
}
