import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryIndex } from '../../src/server/index/test-memory-index.ts'
import type { TreeIndex } from '../../src/server/index/tree-index.ts'
import { createLocalStorage } from '../../src/server/storage/local.ts'
import type { SearchHit } from '../../src/shared/contract/search.ts'
import { deny, type Person, type Product, startProduct } from './world.ts'

const PATTERN = { regex: true, allow: false, path: '', regexp: { raw: '(^|/)secret' } }
/** Ways to keep what is called `secret` from somebody, each with where that lies. */
const WAYS: readonly { says: string; person: Person; files: Record<string, string> }[] = [
  { says: 'a path rule', person: { rules: [deny('/no')] }, files: { '/no/secret.txt': 'x', '/no/deep/secret/': '' } },
  { says: 'a pattern', person: { rules: [PATTERN] }, files: { '/in/secret.txt': 'x', '/in/secret/open.txt': 'x' } },
  { says: 'hidden names', person: { hideDotfiles: true }, files: { '/.dot/secret.txt': 'x', '/in/.secret': '' } },
  { says: 'the scope', person: { scope: '/home/ben' }, files: { '/home/secret.txt': 'x', '/home/ann/secret/': '' } },
]
const QUERIES = ['', 'secret', 'open', 'ext:txt', 'size:1', '-nothing -ext:md', 'modified:<1y', '"secret" case:sensitive', 'content:x']

describe('a search over the index', () => {
  let product: Product
  let folder: string
  let index: TreeIndex & { read(): Promise<void> }
  const look = (who: string, query: string, from = '/') =>
    product.ask(`/api/search${from}?query=${encodeURIComponent(query)}`, { who, headers: { accept: 'application/json' } })
  const found = async (...args: Parameters<typeof look>) => ((await (await look(...args)).json()) as SearchHit[]).map(({ path }) => path)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'satchel-indexed-'))
    index = createMemoryIndex(createLocalStorage(folder))
    product = await startProduct({ storage: { folder }, treeIndex: index })
    for (const { files } of WAYS) await product.seed(files)
    await product.seed({ '/home/ben/mine.txt': 'x', '/in/a b.md': '12345678', '/in/plain.txt': 'x' })
    await product.link('/in/to-no', '../no')
    await product.link('/in/big', 'a b.md')
    await product.link('/home/ben/up', '../..')
    await index.read()
  })
  afterAll(async () => {
    await product[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  for (const [n, { says, person }] of WAYS.entries()) {
    it(`never returns what ${says} hides, whatever the query`, async () => {
      await product.add(`who${n}`, person)
      const isOut = person.scope !== undefined
      const own = WAYS.flatMap(({ files }, other) => (other === n || isOut ? Object.keys(files) : []))
      const kept = own.map((path) => path.replace(/\/$/, '').slice(1))
      for (const query of QUERIES) {
        for (const from of ['/', '/in/', '/no/', '/.dot/', '/in/to-no/', '/up/', '/in/secret/']) {
          const response = await look(`who${n}`, query, from)
          const told = ((await response.json()) as SearchHit[]).map(({ path }) => (from.slice(1) + path).replace('in/to-no', 'no'))
          const leaked = told.filter((path) => kept.some((one) => path.endsWith(one)))
          expect({ query, from, status: response.status, leaked }).toEqual({ query, from, status: 200, leaked: [] })
        }
      }
    })
  }

  it('supports the whole query language, ranks results, and shows links by their own name and the size of their target', async () => {
    expect(await found('ann', 'in/ ext:txt -secret -mine')).toEqual([])
    expect(await found('ann', 'plain "a b"')).toEqual(['in/a b.md', 'in/plain.txt'])
    expect(await found('ann', 'size:>5b')).toEqual(['in/big', 'in/a b.md'])
    expect(await found('ann', 'type:txt -secret -open', '/in/')).toEqual(['plain.txt'])
    expect(await found('ann', 'modified:>today')).toEqual([])
    expect(await found('ann', 'content:1234 -size:0')).toEqual(['in/big', 'in/a b.md'])
  })

  it('checks the disk first: missing or changed files are not returned from an outdated index', async () => {
    await product.seed({ '/late/one-q.txt': '1', '/late/two-q.txt': '1', '/late/three-q.txt': '1' })
    await index.read()
    await rename(join(folder, 'late/one-q.txt'), join(folder, 'late/new-q.txt'))
    await writeFile(join(folder, 'late/two-q.txt'), 'longer')
    expect(await found('ann', 'q.txt size:1')).toEqual(['late/three-q.txt'])
    expect(await found('ann', 'q.txt')).toEqual(['late/two-q.txt', 'late/three-q.txt'])
  })
})
