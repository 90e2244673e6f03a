import { describe, expect, it } from 'bun:test'
import { parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { parseQuery } from '../../shared/search-query.ts'
import type { Access } from '../access/access.ts'
import { ALL_RIGHTS } from '../access/permissions.ts'
import { compileRules } from '../access/rules.ts'
import { openDrive } from '../drive/drive.ts'
import { createMemoryStorage } from '../storage/test-memory-storage.ts'
import { SEARCH_LIMITS, type SearchLimits } from './finder.ts'
import { createWalkFinder } from './walk-finder.ts'

const ACCESS: Access = {
  scope: ROOT,
  start: ROOT,
  may: ALL_RIGHTS,
  rules: compileRules([], [], { hideDotfiles: false }),
  hideDotfiles: false,
}

describe('a search by walking', () => {
  it('stops at each limit and names it, with the same results every time', async () => {
    expect(await look({})).toEqual({ found: ['/a', '/a/b', '/a/b/c', '/d'], cut: null })
    expect(await look({ results: 2 })).toEqual({ found: ['/a', '/a/b'], cut: 'results' })
    expect(await look({ results: 4 })).toEqual({ found: ['/a', '/a/b', '/a/b/c', '/d'], cut: null })
    expect(await look({ entries: 2 })).toEqual({ found: ['/a', '/a/b'], cut: 'entries' })
    expect(await look({ depth: 1 })).toEqual({ found: ['/a', '/d'], cut: 'depth' })
    expect(await look({ depth: 2 })).toEqual({ found: ['/a', '/a/b', '/d'], cut: 'depth' })
  })

  it('stops when its time is over, also while waiting for the disk', async () => {
    const storage = createMemoryStorage()
    const { list } = storage
    storage.list = (path, options) =>
      new Promise((resolve, reject) => {
        options?.signal?.addEventListener('abort', () => reject(new DOMException('called off', 'AbortError')))
        if (path === at('/never')) void list(path).then(resolve)
      })
    const drive = openDrive(storage, ACCESS)
    const find = createWalkFinder({ ...SEARCH_LIMITS, ms: 1 })
    const found = find(drive, ROOT, { query: parseQuery('', new Date()), signal: new AbortController().signal })
    expect(await found.next()).toEqual({ done: true, value: 'time' })
  })

  it('fails when it is aborted', async () => {
    const left = AbortSignal.abort()
    const found = createWalkFinder()(await tree(), ROOT, { query: parseQuery('', new Date()), signal: left })
    await expect(found.next()).rejects.toMatchObject({ name: 'AbortError' })
  })
})

async function look(limits: Partial<SearchLimits>): Promise<{ found: string[]; cut: string | null }> {
  const find = createWalkFinder({ ...SEARCH_LIMITS, ...limits })
  const all = find(await tree(), ROOT, { query: parseQuery('', new Date()), signal: new AbortController().signal })
  const found: string[] = []
  for (;;) {
    const { value, done } = await all.next()
    if (done === true) return { found, cut: value }
    found.push(value.path)
  }
}

async function tree() {
  const drive = openDrive(createMemoryStorage(), ACCESS)
  await drive.makeFolder(at('/a/b/c'))
  await drive.makeFolder(at('/d'))
  return drive
}
