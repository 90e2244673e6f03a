import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { type FilePath, parentOf, parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { parseQuery } from '../../shared/search-query.ts'
import { allow, deny, driveOn, plant, type Who } from '../drive/samples.suite.ts'
import { createMemoryIndex } from '../index/test-memory-index.ts'
import type { TreeIndex } from '../index/tree-index.ts'
import type { MemoryStorage } from '../storage/test-memory-storage.ts'
import { type Finder, SEARCH_LIMITS } from './finder.ts'
import { createIndexFinder } from './index-finder.ts'
import { createWalkFinder } from './walk-finder.ts'

const walk = createWalkFinder()
/** Where the index must know, so that it is what finds. */
const noWalk: Finder = () => {
  throw new Error('walked')
}

describe('a search over the index', () => {
  it('finds the same as a walk, for any user, query and folder', async () => {
    await fc.assert(
      fc.asyncProperty(trees(), people(), fc.array(queries(), { minLength: 1, maxLength: 6 }), fc.nat(), async (tree, who, texts, pick) => {
        const storage = await plant(tree)
        const from = ['/', ...Object.keys(tree)][pick % (Object.keys(tree).length + 1)] ?? '/'
        const index = createMemoryIndex(storage)
        await index.read()
        const find = createIndexFinder(index, walk)
        for (const text of texts) {
          const { inOrder: _, ...walked } = await found(walk, storage, who, { text, from })
          expect({ text, ...(await found(find, storage, who, { text, from })) }).toMatchObject({ text, ...walked })
        }
      }),
      { numRuns: 120 },
    )
  })

  it('returns nothing that has disappeared or changed since it was indexed', async () => {
    await fc.assert(
      fc.asyncProperty(trees(), people(), queries(), fc.array(fc.nat(), { maxLength: 4 }), async (tree, who, text, picks) => {
        const storage = await plant(tree)
        const index = createMemoryIndex(storage)
        await index.read()
        for (const pick of picks) await disturb(storage, Object.keys(tree), pick)
        const { paths } = await found(createIndexFinder(index, walk), storage, who, { text, from: '/' })
        const now = (await found(walk, storage, who, { text, from: '/' })).paths
        expect(paths.filter((path) => !now.includes(path))).toEqual([])
      }),
      { numRuns: 80 },
    )
  })

  it('applies rules to both paths if it starts at a link (GHSA-7w29-q235-57m9)', async () => {
    const { storage, index } = await indexed({ '/real/no/a': '', '/real/b': '', '/to': '→ real', '/real/to-no': '→ no' })
    for (const rule of [deny('/real/no'), deny('/to/no')]) {
      const { paths } = await found(createIndexFinder(index, noWalk), storage, { rules: [rule] }, { text: '', from: '/to' })
      expect(paths).toEqual(['/to/b', '/to/to-no'])
    }
  })

  it('returns the nearest first', async () => {
    const { storage, index } = await indexed({ '/explanation': '', '/my-plan': '', '/planet': '', '/x/plan': '' })
    const { inOrder } = await found(createIndexFinder(index, noWalk), storage, {}, { text: 'plan', from: '/' })
    expect(inOrder).toEqual(['/x/plan', '/planet', '/my-plan', '/explanation'])
  })

  it('returns first results after checking a few', async () => {
    const tree = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`/plan ${n}`, '']))
    const { storage, index } = await indexed(tree)
    let looks = 0
    const stat: MemoryStorage['stat'] = (path) => {
      looks++
      return storage.stat(path)
    }
    const all = createIndexFinder(index, noWalk)(driveOn({ ...storage, stat }), ROOT, options('plan'))
    expect((await all.next()).done).toBe(false)
    expect(looks).toBeLessThan(50)
    await all.return(null)
  })

  it('U10: does not stat files that are opened next, unless the size matters', async () => {
    const { storage, index } = await indexed(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`/plan ${n}`, ''])))
    let looks = 0
    const stat: MemoryStorage['stat'] = (path) => {
      looks++
      return storage.stat(path)
    }
    const find = createIndexFinder(index, noWalk, SEARCH_LIMITS, { forReading: true })
    const looksFor = async (text: string) => {
      looks = 0
      expect((await found(find, { ...storage, stat }, {}, { text, from: '/' })).paths).toHaveLength(40)
      return looks
    }
    expect(await looksFor('plan')).toBeLessThan(10)
    expect(await looksFor('plan size:<1mb')).toBeGreaterThanOrEqual(40)
  })

  it('stops at the same limits as a walk, and names them', async () => {
    const { storage, index } = await indexed({ '/a/b/c/': '', '/d/': '' })
    const look = async (limits: Partial<typeof SEARCH_LIMITS>) => {
      const { paths, cut } = await found(
        createIndexFinder(index, noWalk, { ...SEARCH_LIMITS, ...limits }),
        storage,
        {},
        { text: '', from: '/' },
      )
      return [paths.length, cut]
    }
    expect([await look({}), await look({ results: 2 }), await look({ results: 4 })]).toEqual([
      [4, null],
      [2, 'results'],
      [4, null],
    ])
    expect([await look({ depth: 1 }), await look({ depth: 2 })]).toEqual([
      [2, 'depth'],
      [3, 'depth'],
    ])
  })

  it('walks if the folder is not indexed, and stops when aborted or out of time', async () => {
    const { storage, index } = await indexed({ '/a/b': '', '/x': '' })
    const unread = createMemoryIndex(storage)
    expect((await found(createIndexFinder(unread, walk), storage, {}, { text: '', from: '/a' })).paths).toEqual(['/a/b'])
    const forever: TreeIndex = { ...index, find: async (_, __, signal) => endless(signal) }
    const slow = createIndexFinder(forever, noWalk, { ...SEARCH_LIMITS, ms: 1 })(driveOn(storage), ROOT, options())
    expect(await slow.next()).toEqual({ done: true, value: 'time' })
    const called = createIndexFinder(forever, noWalk)(driveOn(storage), ROOT, { ...options(), signal: AbortSignal.abort() })
    await expect(called.next()).rejects.toMatchObject({ name: 'AbortError' })
  })
})

async function indexed(tree: Record<string, string>): Promise<{ storage: MemoryStorage; index: TreeIndex }> {
  const storage = await plant(tree)
  const index = createMemoryIndex(storage)
  await index.read()
  return { storage, index }
}

function options(text = '') {
  return { query: parseQuery(text, new Date()), signal: new AbortController().signal }
}

function endless(signal: AbortSignal): AsyncIterable<never> {
  const end = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
  return { [Symbol.asyncIterator]: () => ({ next: () => end }) }
}

async function found(find: Finder, storage: MemoryStorage, who: Who, { text, from }: { text: string; from: string }) {
  const all = find(driveOn(storage, who), at(from), options(text))
  const told: { path: FilePath; isFolder: boolean }[] = []
  for (;;) {
    const { value, done } = await all.next()
    if (done !== true) told.push(value)
    else {
      const inOrder = told.map(({ path }) => path as string)
      return { inOrder, paths: inOrder.toSorted(), folders: told.filter(({ isFolder }) => isFolder).length, cut: value }
    }
  }
}

/** Something is removed, or replaced by a file of another size; a folder with content stays. */
async function disturb(storage: MemoryStorage, paths: readonly string[], pick: number): Promise<void> {
  const path = at(paths[pick % paths.length] ?? '/')
  const isEmpty = (await storage.stat(path)) !== null && path !== ROOT && (await childrenOf(storage, path)).length === 0
  if (!isEmpty) return
  await storage.remove(path)
  if (pick % 2 === 0) await storage.makeFolder(path)
}

async function childrenOf(storage: MemoryStorage, path: FilePath): Promise<readonly string[]> {
  return (await storage.stat(path))?.kind === 'folder' ? [...(await storage.list(path)).names] : []
}

const NAMES = ['a', 'ab.txt', 'no', '.dot', 'B.PDF', 'pic.JPG', 'yes']

function somePaths(): fc.Arbitrary<FilePath> {
  return fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }).map((names) => at(`/${names.join('/')}`))
}

/** Files, folders and links, none below a file. */
function trees(): fc.Arbitrary<Record<string, string>> {
  const contents = fc.constantFrom('', 'x', 'x'.repeat(2000), '/', '→ ..', '→ a', '→ /no', '→ ../no/ab.txt', '→ none', '→ /yes')
  return fc.array(fc.tuple(somePaths(), contents), { minLength: 1, maxLength: 14 }).map((all) => {
    const tree: Record<string, string> = {}
    const folders = new Set<FilePath>()
    for (const [path, content] of all) {
      const above = parentsOf(path)
      if (folders.has(path) || path in tree || `${path}/` in tree || above.some((folder) => folder in tree)) continue
      for (const folder of above) folders.add(folder)
      tree[content === '/' ? `${path}/` : path] = content
    }
    return tree
  })
}

function parentsOf(path: FilePath): FilePath[] {
  const parent = parentOf(path)
  return parent === ROOT ? [] : [...parentsOf(parent), parent]
}

function people(): fc.Arbitrary<Who> {
  const rule = fc.oneof(
    somePaths().map((path) => deny(path)),
    somePaths().map((path) => allow(path)),
    fc.constantFrom('no', '\\.txt$', '/a/').map((raw) => ({ regex: true, allow: false, path: '', regexp: { raw } })),
  )
  const place = fc.constantFrom('/', '/', '/a', '/no')
  return fc.record({ scope: place, start: place, rules: fc.array(rule, { maxLength: 3 }), hideDotfiles: fc.boolean() })
}

const ITEMS = [
  'a',
  'B',
  'no',
  '"b.t"',
  'type:image',
  'ext:txt,pdf',
  'size:>1kb',
  'size:0',
  'modified:today',
  'modified:>today',
  'case:sensitive',
]

function queries(): fc.Arbitrary<string> {
  const item = fc.tuple(fc.constantFrom('', '', '-'), fc.constantFrom(...ITEMS)).map((parts) => parts.join(''))
  return fc.array(item, { maxLength: 3 }).map((items) => items.join(' '))
}
