import { describe, expect, it } from 'bun:test'
import { parseFilePath as at, ROOT } from '../../../shared/file-path.ts'
import { MAX_TEXT_BYTES } from '../../../shared/limits.ts'
import { parseQuery } from '../../../shared/search-query.ts'
import { allow, deny, driveOn, plant, type Who } from '../../drive/samples.suite.ts'
import { pathOf, type Storage } from '../../storage/storage.ts'
import { createWalkFinder } from '../walk-finder.ts'
import { type ContentFinderDeps, CONTENT_LIMITS, createContentFinder } from './content-finder.ts'
import { match } from './match.ts'

const DEPS: ContentFinderDeps = { candidates: createWalkFinder(), match: async (ask) => match(ask), documentTexts: async () => null }

describe('a content search', () => {
  it('finds files that contain all texts and match the other conditions', async () => {
    const storage = await plant({
      '/a/plan.txt': 'budget\nand draft',
      '/a/plan.md': 'a Budget',
      '/b.txt': 'a budget and two\nwords, two words',
      '/budget/': '',
      '/empty.txt': '',
    })
    expect((await found(storage, 'content:budget')).paths).toEqual(['/a/plan.md', '/a/plan.txt', '/b.txt'])
    expect((await found(storage, 'plan content:budget -content:draft')).paths).toEqual(['/a/plan.md'])
    expect((await found(storage, 'content:budget content:"two words"')).paths).toEqual(['/b.txt'])
    expect((await found(storage, 'content:Budget case:sensitive')).paths).toEqual(['/a/plan.md'])
    expect((await found(storage, 'ext:txt -content:budget')).paths).toEqual(['/empty.txt'])
    expect((await found(storage, 'content:budget', { from: '/a' })).paths).toEqual(['/a/plan.md', '/a/plan.txt'])
  })

  it('reads large and small files, in one folder and in many', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`/d${n % 40}/f${n}`, n % 3 === 0 ? 'needle' : 'hay']))
    const long = `${'hay '.repeat(50_000)}needle`
    const storage = await plant({ ...many, '/long.txt': long, '/long.bin': long, '/long': long, '/long.jpg': long })
    const { paths } = await found(storage, 'content:needle')
    expect(paths).toHaveLength(102)
    expect(paths).toContain('/long.txt')
    expect(paths).not.toContain('/long.bin')
  })

  it('reads only files that the user may see, considering rules, hidden names and links (GHSA-7w29-q235-57m9)', async () => {
    const storage = await plant({
      '/me/no/a.txt': 'needle',
      '/me/no/yes.txt': 'needle',
      '/me/.dot': 'needle',
      '/me/to-no': '→ no/a.txt',
      '/me/to-out': '→ /out.txt',
      '/me/to-fine': '→ fine.txt',
      '/me/fine.txt': 'needle',
      '/out.txt': 'needle',
    })
    const read: string[] = []
    const who = { scope: '/me', rules: [deny('/no'), allow('/no/yes.txt')], hideDotfiles: true }
    expect((await found(noting(storage, read), 'content:needle', { who })).paths).toEqual(['/fine.txt', '/to-fine'])
    expect(new Set(read)).toEqual(new Set(['/me/fine.txt']))
  })

  it('reads nothing without the download right (GHSA-67cg-cpj7-qgc9)', async () => {
    const storage = await plant({ '/a.txt': 'needle' })
    const read: string[] = []
    const who = { may: { download: false } }
    await expect(found(noting(storage, read), 'content:needle', { who })).rejects.toMatchObject({ code: 'forbidden' })
    expect(read).toEqual([])
  })

  it('stops at each limit, keeps its results, and names the limit', async () => {
    const storage = await plant(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`/d${n}/f.txt`, 'needle'])))
    const limited = async (limits: Partial<typeof CONTENT_LIMITS>) => {
      const { paths, cut } = await found(storage, 'content:needle', { deps: { limits: { ...CONTENT_LIMITS, ...limits } } })
      return [paths.length, cut]
    }
    expect(await limited({})).toEqual([100, null])
    expect(await limited({ hits: 100 })).toEqual([100, null])
    expect(await limited({ hits: 5 })).toEqual([5, 'results'])
    const [some, why] = await limited({ bytes: 300 })
    expect([Number(some) > 0 && Number(some) < 100, why]).toEqual([true, 'bytes'])
    const never = { deps: { match: async () => new Promise<never>(() => undefined), limits: { ...CONTENT_LIMITS, ms: 5 } } }
    expect(await found(storage, 'content:needle', never)).toEqual({ paths: [], cut: 'time' })
  })

  it('skips texts that are too large, and reports it', async () => {
    const storage = await plant({ '/a.txt': 'needle', '/large.txt': `needle${' '.repeat(MAX_TEXT_BYTES)}` })
    expect(await found(storage, 'content:needle')).toEqual({ paths: ['/a.txt'], cut: 'large' })
  })

  it('searches PDFs if pdftotext is installed', async () => {
    const storage = await plant({ '/a.pdf': '%PDF', '/b.pdf': '%PDF other', '/c.pdf': '%PDF large' })
    const documentTexts = async ({ stat }: { stat: { size: number } }) =>
      stat.size === 4 ? new TextEncoder().encode('one\fa needle\f') : null
    const limits = { ...CONTENT_LIMITS, documentBytes: 10 }
    expect(await found(storage, 'content:needle', { deps: { documentTexts, limits } })).toEqual({ paths: ['/a.pdf'], cut: null })
    expect((await found(storage, 'content:needle', { deps: { documentTexts, limits: { ...limits, documentBytes: 9 } } })).cut).toBe('large')
  })

  it('fails with the first error, and when it is aborted', async () => {
    const storage = await plant({ '/a.txt': 'needle' })
    const deps = { match: async () => Promise.reject(new Error('fell')) }
    await expect(found(storage, 'content:needle', { deps })).rejects.toThrow('fell')
    const signal = AbortSignal.abort()
    await expect(found(storage, 'content:needle', { signal })).rejects.toMatchObject({ name: 'AbortError' })
  })
})

interface Look {
  who?: Who
  from?: string
  deps?: Partial<ContentFinderDeps>
  signal?: AbortSignal
}

async function found(storage: Storage, text: string, { who, from = ROOT, deps, signal = new AbortController().signal }: Look = {}) {
  const find = createContentFinder({ ...DEPS, ...deps })
  const all = find(driveOn(storage, who), at(from), { query: parseQuery(text, new Date()), signal })
  const paths: string[] = []
  for (;;) {
    const { value, done } = await all.next()
    if (done === true) return { paths: paths.sort(), cut: value }
    paths.push(value.path)
  }
}

/** A storage that says which files' bytes were asked for. */
function noting(storage: Storage, read: string[]): Storage {
  return {
    ...storage,
    async open(path) {
      const file = await storage.open(path)
      read.push(pathOf(path))
      return file
    },
    async readSmall(folder, names, options) {
      const files = await storage.readSmall(folder, names, options)
      for (const [index, name] of names.entries()) if ((files.sizes[index] ?? -1) >= 0) read.push(`${pathOf(folder)}/${name}`)
      return files
    },
  }
}
