import { afterEach, describe, expect, it } from 'bun:test'
import { type FilePath, parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { parseQuery } from '../../shared/search-query.ts'
import type { Storage } from '../storage/storage.ts'
import type { IndexedNode, TreeIndex } from './tree-index.ts'

/** An index of an empty storage. */
export interface Indexed {
  readonly index: TreeIndex
  readonly storage: Storage
  /** Resolves when the index holds everything that was done to the storage until now. */
  settled(): Promise<void>
}

/** The promise of the port: every adapter runs it. */
export function describeTreeIndex(name: string, make: () => Promise<Indexed>): void {
  describe(name, () => {
    const made: TreeIndex[] = []
    afterEach(async () => {
      for (const index of made.splice(0)) await index.stop()
    })
    const start = async (tree: Record<string, string>): Promise<Indexed> => {
      const indexed = await make()
      made.push(indexed.index)
      await plant(indexed.storage, tree)
      await indexed.settled()
      return indexed
    }

    it('returns everything below a folder, a folder before its content', async () => {
      const { index } = await start(TREE)
      expect(index.state()).toEqual({ phase: 'ready', entries: 8 })
      const all = await rows(index.below(ROOT, { signal }))
      expect(all.map(({ path }) => path).toSorted()).toEqual(Object.keys(TREE).map(plain).toSorted())
      for (const { path } of all) {
        const above = all.findIndex((known) => path.startsWith(`${known.path}/`))
        if (above >= 0) expect(above).toBeLessThan(all.findIndex((known) => known.path === path))
      }
      expect(await names(index.below(at('/docs/old'), { signal }))).toEqual(['/docs/old/Straße.txt'])
    })

    it('skips folders that are excluded', async () => {
      const { index } = await start(TREE)
      const enters = ({ path }: IndexedNode): boolean => path !== '/docs'
      expect(await names(index.below(ROOT, { signal, enters }))).toEqual(['/Photo.JPG', '/docs', '/empty', '/long'])
    })

    it('returns the same kinds, sizes and times as listings', async () => {
      const { index, storage } = await start({ '/a/': '', '/b': '12345' })
      const stat = await storage.stat(at('/b'))
      const all = await rows(index.below(ROOT, { signal }))
      expect(all.find(({ path }) => path === '/b')).toEqual({ path: at('/b'), kind: 'file', size: 5, modified: stat?.modified ?? -1 })
      expect(all.find(({ path }) => path === '/a')?.kind).toBe('folder')
    })

    it('matches the query language', async () => {
      const { index } = await start(TREE)
      const find = (text: string, from = ROOT) => names(index.find(from, parseQuery(text, NOW), signal))
      expect(await find('report')).toEqual(['/docs/Report-2026.pdf', '/docs/report.txt'])
      expect(await find('Report case:sensitive')).toEqual(['/docs/Report-2026.pdf'])
      expect(await find('"t.t" jpg')).toEqual(['/Photo.JPG', '/docs/report.txt'])
      expect(await find('STRASSE')).toEqual([])
      expect(await find('straße')).toEqual(['/docs/old/Straße.txt'])
      expect(await find('o', at('/docs'))).toEqual(['/docs/Report-2026.pdf', '/docs/old', '/docs/report.txt'])
      expect(await find('type:image')).toEqual(['/Photo.JPG'])
      expect(await find('type:pdf report')).toEqual(['/docs/Report-2026.pdf'])
      expect(await find('ext:txt,jpg -report')).toEqual(['/Photo.JPG', '/docs/old/Straße.txt'])
      expect(await find('ext:txt type:image -report')).toEqual(['/Photo.JPG', '/docs/old/Straße.txt'])
      expect(await find('size:>4b')).toEqual(['/docs/old/Straße.txt'])
      expect(await find('o modified:<1h size:..3b')).toEqual(['/docs/Report-2026.pdf'])
      expect(await find('modified:<2020')).toEqual([])
      expect((await find('')).length).toBe(8)
      expect(await find('docs', at('/docs'))).toEqual([])
    })

    it('sums up the content of a folder recursively', async () => {
      const { index } = await start(TREE)
      expect(await index.sums(ROOT, ALL)).toEqual({ files: 4, folders: 4, bytes: 16 })
      expect(await index.sums(at('/docs'), ALL)).toEqual({ files: 3, folders: 1, bytes: 12 })
      expect(await index.sums(at('/empty'), ALL)).toEqual({ files: 0, folders: 0, bytes: 0 })
      const children = (await index.childSums(ROOT, ALL)) ?? []
      expect(Object.fromEntries(children.map(({ known, sums }) => [known.path, sums]))).toEqual({
        [at('/docs')]: { files: 3, folders: 1, bytes: 12 },
        [at('/empty')]: { files: 0, folders: 0, bytes: 0 },
        [at('/long')]: { files: 0, folders: 0, bytes: 0 },
      })
    })

    it('sums up without dotfiles and hidden folders if the user hides them', async () => {
      const folders = Object.fromEntries(['/a', '/a/.x', '/a/.x/deep', '/a/b', '/.h', '/.h/i'].map((path) => [`${path}/`, '']))
      const { index } = await start({ ...folders, '/a/.x/deep/f': '12345', '/a/.f': '1', '/a/b/c.': '12', '/.h/i/j': '1' })
      const few = { dotfiles: false }
      expect(await index.sums(ROOT, few)).toEqual({ files: 1, folders: 2, bytes: 2 })
      expect(await index.sums(at('/a/.x'), few)).toEqual({ files: 1, folders: 1, bytes: 5 })
      const children = (await index.childSums(ROOT, few)) ?? []
      expect(children.map(({ known, sums }) => [known.path, sums])).toEqual([[at('/a'), { files: 1, folders: 1, bytes: 2 }]])
    })

    it('returns unknown if the path is not a folder', async () => {
      const { index } = await start(TREE)
      for (const path of [at('/none'), at('/Photo.JPG'), at('/docs/none/deep')]) {
        expect(await index.sums(path, ALL)).toBeNull()
        expect(await index.childSums(path, ALL)).toBeNull()
        expect(await index.below(path, { signal })).toBeNull()
        expect(await index.find(path, parseQuery('a', NOW), signal)).toBeNull()
      }
    })

    it('follows writes, creations, renames and removals', async () => {
      const { index, storage, settled } = await start(TREE)
      await storage.move(at('/docs/old'), at('/empty/young'), { replace: false })
      await storage.move(at('/docs/report.txt'), at('/docs/Note'), { replace: false })
      await storage.remove(at('/Photo.JPG'))
      await storage.makeFolder(at('/new'))
      await write(storage, '/new/file', 'ab')
      await write(storage, '/docs/Report-2026.pdf', 'longer than before')
      await settled()
      expect(await names(index.below(ROOT, { signal }))).toEqual(
        [
          '/docs',
          '/docs/Note',
          '/docs/Report-2026.pdf',
          '/empty',
          '/empty/young',
          '/empty/young/Straße.txt',
          '/long',
          '/new',
          '/new/file',
        ].toSorted(),
      )
      expect(await index.sums(ROOT, ALL)).toEqual({ files: 4, folders: 5, bytes: 18 + 4 + 2 + 5 })
      expect(await names(index.find(ROOT, parseQuery('report', NOW), signal))).toEqual(['/docs/Report-2026.pdf'])
      expect(await names(index.find(at('/empty'), parseQuery('straße', NOW), signal))).toEqual(['/empty/young/Straße.txt'])
    })

    it('tells by a text whether anything below a folder is different, and for each folder in it', async () => {
      const { index, storage, settled } = await start({
        '/a/': '',
        '/a/b/': '',
        '/a/b/x.txt': 'x',
        '/a/c/': '',
        '/other/': '',
        '/other/y.txt': 'y',
      })
      const now = async () => {
        await settled()
        return index.fingerprints(ROOT, { children: true })
      }
      let before = await now()
      expect([...(before?.children.keys() ?? [])].toSorted()).toEqual(['a', 'other'])
      expect((await index.fingerprints(at('/a'), { children: false }))?.own).toBe(before?.children.get('a') ?? 'none')
      expect(await now()).toEqual(before)
      const changes = [
        () => write(storage, '/a/b/x.txt', 'longer'),
        () => write(storage, '/a/b/new.txt', ''),
        () => storage.makeFolder(at('/a/c/deep')),
        () => storage.move(at('/a/b/x.txt'), at('/a/c/deep/x.txt'), { replace: false }),
        () => storage.move(at('/a/c/deep'), at('/a/b/deep'), { replace: false }),
        () => storage.remove(at('/a/b/new.txt')),
      ]
      for (const change of changes) {
        await change()
        const after = await now()
        expect(after?.own === before?.own || after?.children.get('a') === before?.children.get('a')).toBe(false)
        expect(after?.children.get('other')).toBe(before?.children.get('other') ?? 'none')
        before = after
      }
      expect(await index.fingerprints(at('/other/y.txt'), { children: true })).toBe(null)
    })

    it('accepts names that are not UTF-8, in any Unicode form and of any length', async () => {
      const odd = { '/\udcff\udcfe.txt': '1', '/e\u0301.md': '12', [`/${'ü'.repeat(127)}`]: '123', '/a\tb\n': '' }
      const { index } = await start(odd)
      expect(await names(index.below(ROOT, { signal }))).toEqual(Object.keys(odd).toSorted())
      expect(await names(index.find(ROOT, parseQuery('É', NOW), signal))).toEqual(['/e\u0301.md'])
      expect(await names(index.find(ROOT, parseQuery('type:txt', NOW), signal))).toEqual(['/\udcff\udcfe.txt'])
      expect(await names(index.find(ROOT, parseQuery('üü', NOW), signal))).toEqual([`/${'ü'.repeat(127)}`])
    })

    it('ends when it is aborted', async () => {
      const { index } = await start(TREE)
      const left = AbortSignal.abort()
      const nameOfError = (error: Error): string[] => [error.name]
      expect(await names(index.below(ROOT, { signal: left })).catch(nameOfError)).toEqual(['AbortError'])
      expect(await names(index.find(ROOT, parseQuery('', NOW), left)).catch(nameOfError)).toEqual(['AbortError'])
    })
  })
}

const { signal } = new AbortController()
const NOW = new Date()
export const ALL = { dotfiles: true }

/** A folder ends with a slash. */
const TREE = {
  '/Photo.JPG': '1234',
  '/docs/': '',
  '/docs/Report-2026.pdf': '123',
  '/docs/old/': '',
  '/docs/old/Straße.txt': '12345',
  '/docs/report.txt': '1234',
  '/empty/': '',
  '/long/': '',
}

function plain(path: string): FilePath {
  return at(path)
}

export async function plant(storage: Storage, tree: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(tree)) {
    if (path.endsWith('/')) await storage.makeFolder(at(path))
    else await write(storage, path, content)
  }
}

export async function write(storage: Storage, path: string, content: string): Promise<void> {
  const staged = storage.stage(crypto.randomUUID(), { near: ROOT })
  await staged.append(new TextEncoder().encode(content))
  await staged.commit(at(path), { replace: true })
}

export async function rows(batches: Promise<AsyncIterable<readonly IndexedNode[]> | null>): Promise<IndexedNode[]> {
  const all: IndexedNode[] = []
  for await (const batch of (await batches) ?? []) all.push(...batch)
  return all
}

async function names(batches: Promise<AsyncIterable<readonly IndexedNode[]> | null>): Promise<string[]> {
  return (await rows(batches)).map(({ path }) => path).toSorted()
}
