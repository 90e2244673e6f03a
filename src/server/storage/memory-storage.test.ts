import { expect, it } from 'bun:test'
import { parseFilePath, ROOT } from '../../shared/file-path.ts'
import { createMemoryStorage } from './test-memory-storage.ts'
import { failure } from './test-samples.ts'
import { describeStorage } from './storage.suite.ts'

describeStorage('memory', async () => {
  const storage = createMemoryStorage()
  return { storage, plantLink: storage.plantLink, dispose: async () => undefined }
})

it('is full at its capacity, and keeps the bytes that fit', async () => {
  const storage = createMemoryStorage({ capacity: 10 })
  const staged = storage.stage('big', { near: ROOT })
  expect(await failure(staged.append(new Uint8Array(11)))).toBe('storage-full')
  expect(await staged.size()).toBe(10)
  await staged.commit(parseFilePath('/a'), { replace: false })
  await storage.keep(parseFilePath('/a'), { area: 'trash', volume: ROOT, id: '1' })
  expect(await failure(storage.stage('more', { near: ROOT }).append(new Uint8Array(1)))).toBe('storage-full')
})
