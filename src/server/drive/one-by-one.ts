import type { FilePath } from '../../shared/file-path.ts'
import type { Storage } from '../storage/storage.ts'

/** Many Drives stand on one storage, and what they must take turns for is the storage's node. Forgotten with the storage. */
const lines = new WeakMap<Storage, Map<FilePath, Promise<unknown>>>()

/** Runs operations on the same node one after the other, in order of arrival, and in turn with other servers. */
export async function oneByOne<T>(storage: Storage, node: FilePath, deed: () => Promise<T>): Promise<T> {
  const line = lines.get(storage) ?? new Map<FilePath, Promise<unknown>>()
  lines.set(storage, line)
  const before = line.get(node)
  const alone = () => storage.exclusively?.(node, deed) ?? deed()
  const mine = (before ?? Promise.resolve()).then(alone, alone)
  line.set(node, mine)
  try {
    return await mine
  } finally {
    if (line.get(node) === mine) line.delete(node)
  }
}
