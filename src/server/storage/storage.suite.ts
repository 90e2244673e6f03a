import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { isAppError } from '../../shared/errors.ts'
import { parseFilePath as at, joinPath, ROOT } from '../../shared/file-path.ts'
import { describeKept } from './kept.suite.ts'
import { describeLinks } from './links.suite.ts'
import {
  failure,
  locate,
  type MakeSample,
  namesFor,
  ODD_NAMES,
  PRIVATE_NAMES,
  promised,
  read,
  type Sample,
  sortedNames,
  type SuiteOptions,
  write,
} from './test-samples.ts'
import { describeStaging } from './staging.suite.ts'
import type { Storage } from './storage.ts'

/** The promises of every adapter. */
export function describeStorage(name: string, make: MakeSample, suite: SuiteOptions = {}): void {
  describe(`${name} storage`, () => {
    describeTree(make, suite)
    describeStaging(make, suite)
    if (!suite.cannot?.includes('links')) describeLinks(make)
    describeKept(make, suite)
  })
}

function describeTree(make: MakeSample, suite: SuiteOptions): void {
  const storable = namesFor(suite)
  let sample: Sample
  let storage: Storage
  beforeEach(async () => {
    sample = await make()
    storage = sample.storage
  })
  afterEach(() => sample.dispose())

  it('starts as an empty folder', async () => {
    expect(await storage.stat(ROOT)).toMatchObject({ kind: 'folder' })
    expect([...(await storage.list(ROOT)).names]).toEqual([])
  })

  it('preserves unusual names byte for byte in all operations', async () => {
    await storage.makeFolder(at('/moved'))
    for (const name of storable) await write(storage, joinPath(ROOT, name), name.toWellFormed())
    expect(sortedNames(await storage.list(ROOT))).toEqual([...storable, 'moved'].sort())
    for (const name of storable) {
      const moved = joinPath(at('/moved'), name)
      expect(await storage.stat(joinPath(ROOT, name))).toMatchObject({ kind: 'file' })
      expect(await storage.move(joinPath(ROOT, name), moved, { replace: false })).toBe(true)
      expect(await read(storage, moved)).toBe(name.toWellFormed())
    }
    expect(sortedNames(await storage.list(at('/moved')))).toEqual([...storable].sort())
    for (const name of storable) await storage.remove(joinPath(at('/moved'), name))
    expect([...(await storage.list(at('/moved'))).names]).toEqual([])
  })

  promised(suite, 'bytes in names')('stores names that are not UTF-8', async () => {
    for (const name of ODD_NAMES.filter((one) => !one.isWellFormed())) await write(storage, joinPath(ROOT, name), 'x')
  })

  it('reads many small files at once, and leaves special cases to open', async () => {
    const contents: Record<string, string> = { 'a.txt': 'abc', none: '', 'é😀': 'other', long: 'x'.repeat(101) }
    for (const [name, content] of Object.entries(contents)) await write(storage, joinPath(ROOT, name), content)
    await storage.makeFolder(at('/folder'))
    await write(storage, at('/folder/inner'), 'inner')
    await sample.plantLink?.(at('/link'), 'a.txt')
    const asked = [...Object.keys(contents), 'folder', 'link', 'missing', '', '.', '..', 'folder/inner', ...PRIVATE_NAMES]
    const { bytes, sizes, modified, crcs } = await storage.readSmall(ROOT, asked, { mostBytes: 100 })
    expect([...sizes]).toEqual([3, 0, 5, -1, ...Array.from({ length: asked.length - 4 }, () => -1)])
    expect(new TextDecoder().decode(bytes)).toBe('abcother')
    expect(Array.from(crcs.subarray(0, 3))).toEqual(['abc', '', 'other'].map((text) => Bun.hash.crc32(text)))
    expect(modified[0]).toBe((await storage.stat(at('/a.txt')))?.modified ?? 0)
    expect([...(await storage.readable(ROOT, ['a.txt', 'long', 'missing', ...PRIVATE_NAMES]))].slice(0, 3)).toEqual([1, 1, 0])
    expect(await failure(storage.readSmall(at('/missing'), ['a'], { mostBytes: 1 }))).toBe('not-found')
    expect(await failure(storage.readable(at('/link'), ['a']))).toBe('not-found')
  })

  it('creates folders with unusual names', async () => {
    for (const name of storable) {
      await storage.makeFolder(joinPath(ROOT, name))
      await write(storage, joinPath(joinPath(ROOT, name), name), 'in')
      expect([...(await storage.list(joinPath(ROOT, name))).names]).toEqual([name])
    }
  })

  it('lists sizes, times and kinds', async () => {
    await write(storage, at('/a.txt'), 'abc')
    await storage.makeFolder(at('/b'))
    const { sizes, modified, modes, ...listed } = await storage.list(ROOT)
    const names = [...listed.names]
    const file = names.indexOf('a.txt')
    const folder = names.indexOf('b')
    expect(sizes[file]).toBe(3)
    expect(Math.abs((modified[file] ?? 0) - Date.now())).toBeLessThan(60_000)
    expect((modes[file] ?? 0) & 0o170000).toBe(0o100000)
    expect((modes[folder] ?? 0) & 0o170000).toBe(0o040000)
  })

  it('reports missing nodes', async () => {
    await write(storage, at('/file'), 'x')
    for (const path of [at('/none'), at('/none/x'), at('/file/x'), at('/file/x/y')]) {
      expect(await storage.stat(path)).toBeNull()
      expect(await failure(storage.open(path))).toBe('not-found')
      expect(await failure(storage.list(path))).toBe('not-found')
      expect(await failure(storage.remove(path))).toBe('not-found')
      expect(await failure(storage.move(path, at('/other'), { replace: false }))).toBe('not-found')
      expect(await failure(storage.makeFolder(joinPath(path, 'new')))).toBe('not-found')
      expect(await failure(write(storage, joinPath(path, 'new'), 'x'))).toBe('not-found')
    }
    expect(await failure(storage.list(at('/file')))).toBe('not-found')
    expect(await failure(storage.open(ROOT))).toBe('not-found')
  })

  it('refuses names that the disk cannot store', async () => {
    const tooLong = at(`/${'x'.repeat(256)}`)
    expect(await failure(storage.makeFolder(tooLong))).toBe('invalid-input')
    expect(await failure(write(storage, tooLong, 'x'))).toBe('invalid-input')
    expect(await failure(storage.stat(tooLong))).toBe('invalid-input')
    expect(await failure(storage.makeFolder(at('/\ud800')))).toBe('invalid-input')
  })

  it('opens a file for ranges, peeks and streams', async () => {
    await write(storage, at('/a'), '0123456789')
    await using file = await storage.open(at('/a'))
    expect(file.stat.size).toBe(10)
    const part = (start: number, end: number) => new Response(file.slice?.(start, end) ?? file.stream(start, end)).text()
    expect(await part(2, 5)).toBe('234')
    expect(await part(0, 0)).toBe('')
    expect(await new Response(file.stream(8, 100)).text()).toBe('89')
    expect(new TextDecoder().decode(await file.peek(4, 3))).toBe('456')
    expect((await file.peek(10, 3)).length).toBe(0)
    await file.close()
  })

  it('never mixes an open file with the one that replaced it', async () => {
    await write(storage, at('/a'), '0123456789')
    await using file = await storage.open(at('/a'))
    await write(storage, at('/a'), 'abcdefghij', { replace: true })
    const bytes = await file.peek(2, 3).then(
      (part) => new TextDecoder().decode(part),
      (error: unknown) => (isAppError(error) ? error.code : String(error)),
    )
    expect(suite.cannot?.includes('old content') === true ? ['busy'] : ['234']).toContain(bytes)
  })

  it('P2: returns the bytes of a small file at once if they are in memory', async () => {
    await write(storage, at('/a'), '0123456789')
    await write(storage, at('/b'), 'abcdefghij')
    await using first = await storage.open(at('/a'))
    await using second = await storage.open(at('/b'))
    const bytes = first.readNow(2, 5)
    // A disk may not support reading only from memory.
    if (bytes === null) return
    const response = new Response(bytes)
    expect(new TextDecoder().decode(second.readNow(0, 10) ?? undefined)).toBe('abcdefghij')
    expect(await response.text()).toBe('234')
    await write(storage, at('/a'), 'other', { replace: true })
    expect(new TextDecoder().decode(first.readNow(0, 10) ?? undefined)).toBe('0123456789')
  })

  it('creates a folder only once', async () => {
    await storage.makeFolder(at('/a'))
    await write(storage, at('/f'), 'x')
    expect(await failure(storage.makeFolder(at('/a')))).toBe('already-exists')
    expect(await failure(storage.makeFolder(at('/f')))).toBe('already-exists')
    expect(await failure(storage.makeFolder(ROOT))).toBe('already-exists')
  })

  promised(suite, 'nodes')('keeps a node’s identity through renames, and distinguishes a new node of the same name', async () => {
    await write(storage, at('/a'), 'x')
    const before = await storage.stat(at('/a'))
    await storage.move(at('/a'), at('/b'), { replace: false })
    expect((await storage.stat(at('/b')))?.identity).toBe(before?.identity)
    await storage.remove(at('/b'))
    await write(storage, at('/b'), 'x')
    expect((await storage.stat(at('/b')))?.identity).not.toBe(before?.identity)
  })

  it('does not move over an existing node', async () => {
    await write(storage, at('/a'), 'a')
    await write(storage, at('/b'), 'b')
    await storage.makeFolder(at('/c'))
    await storage.makeFolder(at('/d'))
    expect(await failure(storage.move(at('/a'), at('/b'), { replace: false }))).toBe('already-exists')
    expect(await failure(storage.move(at('/a'), at('/c'), { replace: false }))).toBe('already-exists')
    expect(await failure(storage.move(at('/c'), at('/d'), { replace: false }))).toBe('already-exists')
    expect(await failure(storage.move(at('/c'), at('/b'), { replace: false }))).toBe('already-exists')
    expect(await failure(storage.move(at('/a'), at('/a'), { replace: false }))).toBe('already-exists')
    expect(await read(storage, at('/a'))).toBe('a')
    expect(await read(storage, at('/b'))).toBe('b')
    expect((await storage.list(ROOT)).names.length).toBe(4)
  })

  it('replaces a file by a file and an empty folder by a folder, nothing else', async () => {
    await write(storage, at('/a'), 'a')
    await write(storage, at('/b'), 'b')
    for (const folder of ['/c', '/d', '/empty']) await storage.makeFolder(at(folder))
    await write(storage, at('/c/in'), 'in c')
    await write(storage, at('/d/in'), 'in d')
    expect(await failure(storage.move(at('/c'), at('/d'), { replace: true }))).toBe('already-exists')
    expect(await failure(storage.move(at('/a'), at('/empty'), { replace: true }))).toBe('already-exists')
    expect(await failure(storage.move(at('/c'), at('/b'), { replace: true }))).toBe('already-exists')
    await storage.move(at('/c'), at('/empty'), { replace: true })
    await storage.move(at('/a'), at('/b'), { replace: true })
    expect(await read(storage, at('/empty/in'))).toBe('in c')
    expect(await read(storage, at('/b'))).toBe('a')
    expect(sortedNames(await storage.list(ROOT))).toEqual(['b', 'd', 'empty'])
  })

  it('moves a folder with its content, but not into itself', async () => {
    await storage.makeFolder(at('/a'))
    await write(storage, at('/a/in'), 'in')
    expect(await failure(storage.move(at('/a'), at('/a/b'), { replace: false }))).toBe('invalid-input')
    expect(await failure(storage.move(ROOT, at('/a/b'), { replace: false }))).toBe('invalid-input')
    expect(await failure(storage.move(at('/a'), ROOT, { replace: true }))).toBe('invalid-input')
    await storage.move(at('/a'), at('/b'), { replace: false })
    expect(await read(storage, at('/b/in'))).toBe('in')
    expect(await storage.stat(at('/a'))).toBeNull()
  })

  it('changes the case of a name', async () => {
    await write(storage, at('/readme'), 'x')
    await storage.makeFolder(at('/docs'))
    await storage.move(at('/readme'), at('/README'), { replace: false })
    await storage.move(at('/docs'), at('/Docs'), { replace: false })
    expect(sortedNames(await storage.list(ROOT))).toEqual(['Docs', 'README'])
  })

  it('lets one of many moves to the same name succeed', async () => {
    for (let i = 0; i < 8; i++) await write(storage, at(`/${i}`), `${i}`)
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, i) => failure(storage.move(at(`/${i}`), at('/won'), { replace: false }))),
    )
    expect(outcomes.filter((code) => code === 'none').length).toBe(1)
    expect(outcomes.filter((code) => code === 'already-exists').length).toBe(7)
    expect((await storage.list(ROOT)).names.length).toBe(8)
  })

  it('removes a file or an empty folder, but never a non-empty one', async () => {
    await storage.makeFolder(at('/a'))
    await write(storage, at('/a/in'), 'in')
    expect(await failure(storage.remove(at('/a')))).toBe('busy')
    expect(await failure(storage.remove(ROOT))).toBe('busy')
    await storage.remove(at('/a/in'))
    await storage.remove(at('/a'))
    expect([...(await storage.list(ROOT)).names]).toEqual([])
  })

  it('makes its private folder inaccessible in every spelling and at every depth', async () => {
    await storage.makeFolder(at('/a'))
    await write(storage, at('/f'), 'x')
    await storage.stage('pending', { near: at('/f') }).append(new Uint8Array(3))
    for (const name of PRIVATE_NAMES) {
      for (const path of [joinPath(ROOT, name), joinPath(at('/a'), name), joinPath(joinPath(ROOT, name), 'staging')]) {
        expect(await storage.stat(path)).toBeNull()
        expect(await failure(storage.list(path))).toBe('not-found')
        expect(await failure(storage.open(path))).toBe('not-found')
        expect(await failure(storage.makeFolder(path))).toBe('not-found')
        expect(await failure(storage.remove(path))).toBe('not-found')
        expect(await failure(storage.move(path, at('/b'), { replace: true }))).toBe('not-found')
        expect(await failure(storage.move(at('/f'), path, { replace: true }))).toBe('not-found')
        expect(await failure(write(storage, path, 'x', { replace: true }))).toBe('not-found')
        expect(await failure(storage.stage('copy', { near: at('/f') }).copyFrom(path))).toBe('not-found')
        expect(await failure(locate(storage, path, { within: ROOT, leaf: 'follow' }))).toBe('not-found')
        expect(await failure(storage.space(path))).toBe('not-found')
      }
    }
    expect(sortedNames(await storage.list(ROOT))).toEqual(['a', 'f'])
  })

  it('reports the free space', async () => {
    await write(storage, at('/a'), 'abc')
    const { total, used } = await storage.space(at('/a'))
    expect(used).toBeGreaterThan(0)
    expect(total).toBeGreaterThan(used)
    expect(await failure(storage.space(at('/none')))).toBe('not-found')
  })

  it('stops listing when aborted', async () => {
    expect(await failure(storage.list(ROOT, { signal: AbortSignal.abort(new Error('gone')) }))).toContain('gone')
  })
}
