import { afterEach, beforeEach, expect, it } from 'bun:test'
import { parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { failure, locate, type MakeSample, read, type Sample, sortedNames, write } from './test-samples.ts'
import type { Storage } from './storage.ts'

const FOLLOW = { within: at('/home'), leaf: 'follow' } as const
const KEEP = { within: at('/home'), leaf: 'keep' } as const

/** Symbolic links: seen, renamed and removed as nodes, never followed, except by `locate` within a scope. */
export function describeLinks(make: MakeSample): void {
  let sample: Sample
  let storage: Storage
  beforeEach(async () => {
    sample = await make()
    storage = sample.storage
    for (const folder of ['/home', '/home/docs', '/home/docs/deep', '/homes']) await storage.makeFolder(at(folder))
    await write(storage, at('/home/docs/a.txt'), 'a')
    await write(storage, at('/homes/secret'), 's')
  })
  afterEach(() => sample.dispose())

  const plant = async (path: string, target: string): Promise<void> => sample.plantLink?.(at(path), target)

  it('lists and stats a link as a link', async () => {
    await plant('/link', 'home/docs')
    expect(await storage.stat(at('/link'))).toMatchObject({ kind: 'link' })
    const { names, modes } = await storage.list(ROOT)
    expect((modes[[...names].indexOf('link')] ?? 0) & 0o170000).toBe(0o120000)
  })

  it('follows no link, neither in the path nor at its end', async () => {
    await plant('/link', 'home/docs')
    await plant('/home/docs/b.txt', 'a.txt')
    for (const path of [at('/link/a.txt'), at('/home/docs/b.txt')]) {
      expect(await failure(storage.open(path))).toBe('not-found')
      expect(await failure(storage.stage('x', { near: ROOT }).copyFrom(path))).toBe('not-found')
    }
    expect(await storage.stat(at('/link/a.txt'))).toBeNull()
    expect(await failure(storage.list(at('/link')))).toBe('not-found')
    expect(await failure(storage.makeFolder(at('/link/new')))).toBe('not-found')
    expect(await failure(storage.remove(at('/link/a.txt')))).toBe('not-found')
    expect(await failure(storage.move(at('/link/a.txt'), at('/b'), { replace: false }))).toBe('not-found')
    expect(await failure(storage.move(at('/home/docs/a.txt'), at('/link/b'), { replace: false }))).toBe('not-found')
    expect(await failure(write(storage, at('/link/new'), 'x'))).toBe('not-found')
    expect(sortedNames(await storage.list(at('/home/docs')))).toEqual(['a.txt', 'b.txt', 'deep'])
  })

  it('moves, replaces and removes the link, not its target', async () => {
    await plant('/link', 'home/docs/a.txt')
    expect(await failure(write(storage, at('/link'), 'new'))).toBe('already-exists')
    expect(await failure(storage.makeFolder(at('/link')))).toBe('already-exists')
    await storage.move(at('/link'), at('/moved'), { replace: false })
    await write(storage, at('/moved'), 'new', { replace: true })
    expect(await storage.stat(at('/moved'))).toMatchObject({ kind: 'file' })
    await plant('/folder-link', 'home/docs')
    await storage.remove(at('/folder-link'))
    expect(await read(storage, at('/home/docs/a.txt'))).toBe('a')
  })

  it('returns a path without links unchanged', async () => {
    for (const path of ['/home', '/home/docs/a.txt', '/home/docs/new.txt']) expect(await locate(storage, at(path), FOLLOW)).toBe(at(path))
    expect(await failure(locate(storage, at('/home/none/new.txt'), FOLLOW))).toBe('not-found')
    expect(await failure(locate(storage, at('/home/docs/a.txt/x'), FOLLOW))).toBe('not-found')
  })

  it('resolves links: relative, absolute, with dots, chained', async () => {
    await plant('/home/relative', 'docs/./deep/..')
    await plant('/home/absolute', '/home/docs/')
    await plant('/home/docs/deep/up', '../../relative/a.txt')
    expect(await locate(storage, at('/home/relative/a.txt'), FOLLOW)).toBe(at('/home/docs/a.txt'))
    expect(await locate(storage, at('/home/absolute/a.txt'), FOLLOW)).toBe(at('/home/docs/a.txt'))
    expect(await locate(storage, at('/home/absolute'), FOLLOW)).toBe(at('/home/docs'))
    expect(await locate(storage, at('/home/docs/deep/up'), FOLLOW)).toBe(at('/home/docs/a.txt'))
    expect(await locate(storage, at('/home/docs/deep/up'), KEEP)).toBe(at('/home/docs/deep/up'))
    expect(await locate(storage, at('/home/absolute/deep/up'), KEEP)).toBe(at('/home/docs/deep/up'))
  })

  it('resolves the parent of a missing node, also behind a dangling link', async () => {
    await plant('/home/link', 'docs')
    await plant('/home/dangling', 'docs/gone.txt')
    expect(await locate(storage, at('/home/link/new.txt'), FOLLOW)).toBe(at('/home/docs/new.txt'))
    expect(await locate(storage, at('/home/dangling'), FOLLOW)).toBe(at('/home/docs/gone.txt'))
    expect(await failure(locate(storage, at('/home/dangling/x'), FOLLOW))).toBe('not-found')
  })

  it('never leaves the scope (GHSA-239w-m3h6-ch8v)', async () => {
    await plant('/home/out', '../homes/secret')
    await plant('/home/absolute', '/homes')
    await plant('/home/prefix', '/home/../homes/secret')
    await plant('/home/system', '../../../../../../etc/passwd')
    await plant('/home/there-and-back', '../home/docs/a.txt')
    for (const name of ['out', 'absolute/secret', 'prefix', 'system', 'there-and-back'])
      expect(await failure(locate(storage, at(`/home/${name}`), FOLLOW))).toBe('not-found')
    expect(await failure(locate(storage, at('/homes/secret'), FOLLOW))).toBe('not-found')
    expect(await locate(storage, at('/home/out'), KEEP)).toBe(at('/home/out'))
  })

  it('fails for loops and more than 40 links', async () => {
    await plant('/home/loop', 'loop')
    await plant('/home/ping', 'pong')
    await plant('/home/pong', 'ping')
    await plant('/home/hop-0', 'docs')
    for (let i = 1; i <= 40; i++) await plant(`/home/hop-${i}`, `hop-${i - 1}`)
    for (const name of ['loop', 'ping', 'loop/x', 'hop-40'])
      expect(await failure(locate(storage, at(`/home/${name}`), FOLLOW))).toBe('not-found')
    expect(await locate(storage, at('/home/hop-39/a.txt'), FOLLOW)).toBe(at('/home/docs/a.txt'))
  })

  it('does not enter the private folder through a link', async () => {
    await storage.stage('pending', { near: ROOT }).append(new Uint8Array(3))
    await plant('/home/private', '../.satchel/staging/pending')
    await plant('/private', '.satchel')
    const whole = { within: ROOT, leaf: 'follow' } as const
    for (const path of ['/home/private', '/private', '/private/staging/pending'])
      expect(await failure(locate(storage, at(path), whole))).toBe('not-found')
  })
}
