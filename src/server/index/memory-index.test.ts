import { createMemoryStorage } from '../storage/memory.ts'
import { createMemoryIndex } from './memory-index.ts'
import { describeTreeIndex } from './tree-index.suite.ts'

describeTreeIndex('an index in plain arrays', async () => {
  const storage = createMemoryStorage()
  const index = createMemoryIndex(storage)
  return { storage, index, settled: () => index.read() }
})
