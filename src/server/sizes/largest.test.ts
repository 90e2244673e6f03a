import { describe, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../shared/file-path.ts'
import { deny, driveOn, plant, type Who } from '../drive/samples.suite.ts'
import { createMemoryIndex } from '../index/test-memory-index.ts'
import { NO_INDEX, type TreeIndex } from '../index/tree-index.ts'
import { write } from '../storage/test-samples.ts'
import type { Storage } from '../storage/storage.ts'
import { largestBelow } from './largest.ts'

const TREE = {
  '/a/one': 'x',
  '/a/three': 'xxx',
  '/a/.dot/nine': 'xxxxxxxxx',
  '/b/four': 'xxxx',
  '/b/too-four': 'xxxx',
  '/empty': '',
  '/link': '→ b/four',
}

describe('the largest files below a folder', () => {
  it('are those that the viewer may see, largest first, then by path', async () => {
    expect(await largest({})).toEqual(['/a/.dot/nine', '/b/four', '/b/too-four', '/a/three', '/a/one'])
    expect(await largest({ hideDotfiles: true })).toEqual(['/b/four', '/b/too-four', '/a/three', '/a/one'])
    expect(await largest({ rules: [deny('/b')] })).toEqual(['/a/.dot/nine', '/a/three', '/a/one'])
    expect(await largest({ scope: '/a', rules: [deny('/three')] })).toEqual(['/.dot/nine', '/one'])
  })

  it('are limited in number', async () => {
    for (const most of [1, 2, 3]) expect(await largest({}, { most })).toHaveLength(most)
    expect(await largest({}, { most: 1 })).toEqual(['/a/.dot/nine'])
  })

  it('have their current sizes; deleted ones are left out', async () => {
    const storage = await plant(TREE)
    const index = await indexOf(storage)
    await storage.remove(at('/a/.dot/nine'))
    await storage.remove(at('/a/one'))
    await write(storage, at('/a/one'), 'x'.repeat(5))
    const drive = driveOn(storage)
    const found = await largestBelow(index, { drive, subtree: await drive.subtree(at('/a')), most: 9, signal })
    expect(found).toMatchObject([
      { path: at('/a/one'), size: 5 },
      { path: at('/a/three'), size: 3 },
    ])
  })

  it('are unknown if the folder is not indexed', async () => {
    expect(await largest({}, { index: NO_INDEX })).toBeNull()
  })
})

const { signal } = new AbortController()

async function largest(who: Who, { most = 9, index }: { most?: number; index?: TreeIndex } = {}) {
  const storage = await plant(TREE)
  const drive = driveOn(storage, who)
  const found = await largestBelow(index ?? (await indexOf(storage)), { drive, subtree: await drive.subtree(at('/')), most, signal })
  return found?.map(({ path }) => path) ?? null
}

async function indexOf(storage: Storage): Promise<TreeIndex> {
  const index = createMemoryIndex(storage)
  await index.read()
  return index
}
