import { describe, expect, it } from 'bun:test'
import { createHash } from 'node:crypto'
import { CHECKSUMS } from '../../shared/contract/resources.ts'
import { parseFilePath as at } from '../../shared/file-path.ts'
import { createMemoryStorage } from '../storage/test-memory-storage.ts'
import { failure, write } from '../storage/test-samples.ts'
import { checksum } from './checksum.ts'
import { etagOf } from './etag.ts'

describe('checksums', () => {
  it.each([...CHECKSUMS])('%s equals the result of other tools', async (algorithm) => {
    for (const bytes of [new Uint8Array(0), new Uint8Array(1_500_001).fill(7)]) {
      await using file = await opened(bytes)
      expect(await checksum(file, algorithm)).toBe(createHash(algorithm).update(bytes).digest('hex'))
    }
  })

  it('stop when aborted, and yield to other requests', async () => {
    await using file = await opened(new Uint8Array(40_000_000))
    const stopped = new AbortController()
    setTimeout(() => stopped.abort(new Error('gone')), 15)
    expect(await failure(checksum(file, 'md5', { signal: stopped.signal }))).toContain('gone')
  })
})

it('an ETag consists of time and size as in the predecessor, and the node', () => {
  const first = etagOf({ modified: 1000, size: 255, identity: 'a' })
  expect(first).toMatch(/^"3b9aca00ff[0-9a-f]+"$/)
  expect(etagOf({ modified: 1000, size: 255, identity: 'a' })).toBe(first)
  expect(etagOf({ modified: 1000, size: 255, identity: 'b' })).not.toBe(first)
})

async function opened(bytes: Uint8Array) {
  const storage = createMemoryStorage()
  await write(storage, at('/a'), bytes)
  return storage.open(at('/a'))
}
