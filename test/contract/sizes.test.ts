import { link, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { DuplicatesLine } from '../../src/shared/contract/sizes.ts'
import { parseFilePath as at, ROOT } from '../../src/shared/file-path.ts'
import { createMemoryIndex, type MemoryIndex } from '../../src/server/index/test-memory-index.ts'
import { createLocalStorage } from '../../src/server/storage/local.ts'
import { deny, EVERYTHING, type Product, startProduct } from './world.ts'

const TREE = {
  '/docs/a.txt': 'x'.repeat(10_000),
  '/docs/copy of a.txt': 'x'.repeat(10_000),
  '/docs/deep/b.txt': 'b'.repeat(300),
  '/docs/secret/a.txt': 'x'.repeat(10_000),
  '/docs/.dot/a.txt': 'x'.repeat(10_000),
  '/c.txt': 'c',
}

describe('disk usage', () => {
  let folder: string
  let index: MemoryIndex
  let product: Product
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sizes-'))
    index = createMemoryIndex(createLocalStorage(folder))
    product = await startProduct({ storage: { folder }, treeIndex: index })
    await product.seed(TREE)
  })
  afterEach(async () => {
    await product[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  const sizes = (who: string, path: string, children?: 'true') =>
    product.as(who).sizes.folder({ params: { path: at(path) }, query: { children } })
  const largest = async (who: string) => (await product.as(who).sizes.largest({ params: { path: ROOT } })).files?.map(({ path }) => path)
  const duplicates = async (who: string) =>
    (await (await product.as(who).sizes.duplicates({ params: { path: ROOT } })).text())
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => DuplicatesLine.parse(JSON.parse(line)))

  it('is unknown, not zero, until the tree is indexed', async () => {
    expect(await sizes('ann', '/', 'true')).toEqual({ sums: null, children: null })
    expect(await largest('ann')).toBeUndefined()
    expect(await duplicates('ann')).toEqual([{ end: true, cut: 'unknown' }])
  })

  it('equals the disk, counting hard and symbolic links by each name', async () => {
    await link(join(folder, 'c.txt'), join(folder, 'docs/hard.txt'))
    await product.link('/docs/soft.txt', '../c.txt')
    await index.read()
    const said = Bun.spawnSync(['find', folder, '-not', '-type', 'd', '-printf', '%s\n']).stdout.toString().trim().split('\n')
    const { sums } = await sizes('ann', '/')
    expect(sums).toEqual({ files: said.length, folders: 4, bytes: said.reduce((sum, size) => sum + Number(size), 0) })
    const { children } = await sizes('ann', '/docs', 'true')
    const rows = children?.names.map((name, row) => [name, children.bytes[row], children.files[row], children.folders[row]])
    expect(rows?.toSorted()).toEqual([
      ['.dot', 10_000, 1, 0],
      ['deep', 300, 1, 0],
      ['secret', 10_000, 1, 0],
    ])
  })

  it('never includes nodes that the viewer may not see', async () => {
    await index.read()
    await product.add('ben', { rules: [deny('/docs/secret')], hideDotfiles: true })
    expect(await sizes('ben', '/', 'true')).toEqual({
      sums: { files: 4, folders: 2, bytes: 20_301 },
      children: { names: ['docs'], bytes: [20_300], files: [3], folders: [1] },
    })
    expect(await largest('ben')).toEqual(['/docs/a.txt', '/docs/copy of a.txt', '/docs/deep/b.txt', '/c.txt'])
    expect(JSON.stringify(await duplicates('ben'))).not.toContain('secret')
    await expect(sizes('ben', '/docs/secret')).rejects.toMatchObject({ code: 'not-found' })
    await expect(sizes('ben', '/c.txt')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('finds duplicates by content, for users who may read it', async () => {
    await index.read()
    expect(await duplicates('ann')).toEqual([
      { compared: 0, of: 4 },
      {
        size: 10_000,
        paths: ['/docs/.dot/a.txt', '/docs/a.txt', '/docs/copy of a.txt', '/docs/secret/a.txt'],
        modified: Array.from({ length: 4 }, () => expect.any(Number)),
      },
      { compared: 4, of: 4 },
      { end: true, cut: null },
    ])
    await product.setRights('ann', { ...EVERYTHING, download: false })
    await expect(duplicates('ann')).rejects.toMatchObject({ code: 'download-refused' })
    expect(await largest('ann')).toHaveLength(6)
  })
})
