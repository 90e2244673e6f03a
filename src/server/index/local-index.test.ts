import { afterAll } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryBus } from '../bus/memory.ts'
import { createLocalStorage } from '../storage/local.ts'
import { createLocalIndex } from './local-index.ts'
import { describeTreeIndex } from './tree-index.suite.ts'

const made: string[] = []
afterAll(async () => {
  for (const place of made) await rm(place, { recursive: true, force: true })
})

describeTreeIndex('an index of a folder', async () => {
  const root = await mkdtemp(join(tmpdir(), 'indexed-'))
  const data = await mkdtemp(join(tmpdir(), 'index-data-'))
  made.push(root, data)
  const storage = createLocalStorage(root)
  const log = (line: string): never => {
    throw new Error(line)
  }
  const index = createLocalIndex({ root, file: join(data, 'index', 'tree'), bus: createMemoryBus(), log })
  return { storage, index, settled: () => index.settled() }
})
