import { createMemoryStorage } from '../storage/test-memory-storage.ts'
import { createMemoryIndex } from './test-memory-index.ts'
import { describeTreeIndex } from './tree-index.suite.ts'

describeTreeIndex('an index in plain arrays', async () => {
  const storage = createMemoryStorage()
  const index = createMemoryIndex(storage)
  return { storage, index, settled: () => index.read() }
})
