import type { FilePath } from '../../shared/file-path.ts'
import { createKeyedMutex, type KeyedMutex } from '../../shared/keyed-mutex.ts'
import type { Storage } from '../storage/storage.ts'

/** Many Drives share one storage, and so do its locks. */
const mutexes = new WeakMap<Storage, KeyedMutex>()

/** Runs operations on the same node one after the other, in order of arrival, also across servers. */
export function withNodeLock<T>(storage: Storage, node: FilePath, work: () => Promise<T>): Promise<T> {
  const mutex = mutexes.get(storage) ?? createKeyedMutex()
  mutexes.set(storage, mutex)
  return mutex(node, () => storage.exclusively?.(node, work) ?? work())
}
