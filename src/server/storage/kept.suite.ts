import { afterEach, beforeEach, expect, it } from 'bun:test'
import { type FilePath, joinPath, parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import {
  failure,
  lastingIn,
  type MakeSample,
  namesFor,
  PRIVATE_NAMES,
  promised,
  read,
  type Sample,
  sortedNames,
  type SuiteOptions,
  write,
} from './test-samples.ts'
import type { Kept, KeptArea, Stat, Storage } from './storage.ts'

const kept = (id: string, area: KeptArea = 'trash'): Kept => ({ area, volume: ROOT, id })
const STAY = { replace: false }
const REPLACE = { replace: true }

/** Kept nodes: the trash, and the versions of files. */
export function describeKept(make: MakeSample, suite: SuiteOptions = {}): void {
  const names = namesFor(suite)
  const lasting = (stat: Stat | null) => lastingIn(suite, stat)
  const linkNames = suite.cannot?.includes('links') ? [] : ['link']
  let sample: Sample
  let storage: Storage
  beforeEach(async () => {
    sample = await make()
    storage = sample.storage
  })
  afterEach(() => sample.dispose())

  async function plantFolder(): Promise<void> {
    for (const path of ['/d', '/d/in', '/d/in/empty']) await storage.makeFolder(at(path))
    await write(storage, at('/d/a'), 'in d')
    await write(storage, at('/d/in/b'), 'in in')
    await sample.plantLink?.(at('/d/link'), 'a')
  }

  async function readKept(one: Kept, path: FilePath = ROOT): Promise<string> {
    await using file = await storage.openKept(one, path)
    return await new Response(file.stream(0, file.stat.size)).text()
  }

  it('keeps a file out of sight and brings it back, as the same node if it can', async () => {
    await write(storage, at('/a'), 'content')
    const before = await storage.stat(at('/a'))
    expect(await storage.keepingVolume(at('/a'))).toBe(ROOT)
    expect(await storage.keep(at('/a'), kept('1'))).toEqual(before)
    expect(await storage.stat(at('/a'))).toBeNull()
    expect(sortedNames(await storage.list(ROOT))).toEqual([])
    expect(await storage.statKept(kept('1'))).toMatchObject({ ...lasting(before), name: 'a' })
    expect(await readKept(kept('1'))).toBe('content')
    expect(await storage.keptNodes('trash')).toEqual([kept('1')])
    expect(await storage.keptNodes('versions')).toEqual([])
    expect(await storage.restoreKept(kept('1'), at('/a'), STAY)).toBe(true)
    expect(await storage.stat(at('/a'))).toMatchObject({ ...lasting(before) })
    expect(await read(storage, at('/a'))).toBe('content')
    expect(await storage.statKept(kept('1'))).toBeNull()
    expect(await storage.keptNodes('trash')).toEqual([])
  })

  it('keeps a folder with everything below, which can be listed and read', async () => {
    await plantFolder()
    await storage.keep(at('/d'), kept('1'))
    expect(await storage.statKept(kept('1'))).toMatchObject({ kind: 'folder', name: 'd' })
    expect(sortedNames(await storage.listKept(kept('1'), ROOT))).toEqual(['a', 'in', ...linkNames])
    expect(sortedNames(await storage.listKept(kept('1'), at('/in')))).toEqual(['b', 'empty'])
    expect(await readKept(kept('1'), at('/in/b'))).toBe('in in')
    for (const path of ['/link', '/none', '/in', '/a/x']) expect(await failure(storage.openKept(kept('1'), at(path)))).toBe('not-found')
    for (const path of ['/link', '/none', '/a']) expect(await failure(storage.listKept(kept('1'), at(path)))).toBe('not-found')
    expect(await failure(storage.openKept(kept('1'), ROOT))).toBe('not-found')
    await storage.makeFolder(at('/other'))
    expect(await storage.restoreKept(kept('1'), at('/other/name'), STAY)).toBe(true)
    expect(sortedNames(await storage.list(at('/other/name')))).toEqual(['a', 'in', ...linkNames])
    expect(await read(storage, at('/other/name/in/b'))).toBe('in in')
  })

  it('keeps unusual names byte for byte', async () => {
    for (const [index, name] of names.entries()) {
      const path = joinPath(ROOT, name)
      await write(storage, path, 'x')
      await storage.keep(path, kept(`file-${index}`))
      await storage.makeFolder(path)
      await write(storage, joinPath(path, name), name.toWellFormed())
      await storage.keep(path, kept(`folder-${index}`))
      expect((await storage.statKept(kept(`file-${index}`)))?.name).toBe(name)
      expect([...(await storage.listKept(kept(`folder-${index}`), ROOT)).names]).toEqual([name])
      expect(await readKept(kept(`folder-${index}`), joinPath(ROOT, name))).toBe(name.toWellFormed())
      await storage.restoreKept(kept(`folder-${index}`), path, STAY)
      expect(await read(storage, joinPath(path, name))).toBe(name.toWellFormed())
    }
    expect(sortedNames(await storage.list(ROOT))).toEqual([...names].sort())
  })

  if (!suite.cannot?.includes('links')) {
    it('keeps a link, not its target', async () => {
      await write(storage, at('/a'), 'a')
      await sample.plantLink?.(at('/link'), 'a')
      await storage.keep(at('/link'), kept('1'))
      expect(await storage.statKept(kept('1'))).toMatchObject({ kind: 'link', name: 'link' })
      expect(await failure(storage.openKept(kept('1'), ROOT))).toBe('not-found')
      expect(await read(storage, at('/a'))).toBe('a')
      await storage.restoreKept(kept('1'), at('/link'), STAY)
      expect(await storage.stat(at('/link'))).toMatchObject({ kind: 'link' })
    })

    it('follows no link on the way to what is kept, or restored', async () => {
      await plantFolder()
      await sample.plantLink?.(at('/way'), 'd')
      expect(await failure(storage.keep(at('/way/a'), kept('1')))).toBe('not-found')
      await storage.keep(at('/d/a'), kept('2'))
      expect(await failure(storage.restoreKept(kept('2'), at('/way/a'), STAY))).toBe('not-found')
      expect(await storage.statKept(kept('2'))).toMatchObject({ name: 'a' })
    })
  }

  it('keeps nothing of what is not there, and not the root', async () => {
    expect(await storage.keepingVolume(ROOT)).toBeNull()
    expect(await storage.keepingVolume(at('/none'))).toBeNull()
    expect(await failure(storage.keep(ROOT, kept('1')))).toBe('busy')
    expect(await failure(storage.keep(at('/none'), kept('1')))).toBe('not-found')
    expect(await storage.statKept(kept('1'))).toBeNull()
    expect(await failure(storage.restoreKept(kept('1'), at('/a'), STAY))).toBe('not-found')
    expect(await failure(storage.listKept(kept('1'), ROOT))).toBe('not-found')
    expect(await storage.keptNodes('trash')).toEqual([])
  })

  it('uses an id once in each area', async () => {
    await write(storage, at('/a'), 'a')
    await write(storage, at('/b'), 'b')
    await storage.keep(at('/a'), kept('1'))
    expect(await failure(storage.keep(at('/b'), kept('1')))).toBe('already-exists')
    expect(await read(storage, at('/b'))).toBe('b')
    expect((await storage.statKept(kept('1')))?.name).toBe('a')
    await storage.keep(at('/b'), kept('1', 'versions'))
    expect((await storage.statKept(kept('1', 'versions')))?.name).toBe('b')
    expect(await storage.keptNodes('versions')).toEqual([kept('1', 'versions')])
  })

  it('refuses invalid ids', async () => {
    await write(storage, at('/a'), 'a')
    for (const id of ['', '.', '..', 'a/b', '../staging', 'a.dropped', 'a\0b', 'x'.repeat(200)]) {
      const calls: (() => Promise<unknown>)[] = [
        () => storage.keep(at('/a'), kept(id)),
        () => storage.statKept(kept(id)),
        () => storage.listKept(kept(id), ROOT),
        () => storage.openKept(kept(id), ROOT),
        () => storage.restoreKept(kept(id), at('/b'), STAY),
        () => storage.dropKept(kept(id)),
        () => storage.stage('s', { near: ROOT }).commit(at('/a'), { replace: true, keep: kept(id, 'versions') }),
      ]
      for (const call of calls) expect(await failure(call())).toBe('invalid-input')
    }
    expect(await read(storage, at('/a'))).toBe('a')
  })

  it('says that a volume is not there', async () => {
    await write(storage, at('/a'), 'a')
    await storage.makeFolder(at('/disk'))
    for (const volume of [at('/disk'), at('/gone/disk')]) {
      const away: Kept = { area: 'trash', volume, id: '1' }
      const calls: (() => Promise<unknown>)[] = [
        () => storage.statKept(away),
        () => storage.listKept(away, ROOT),
        () => storage.openKept(away, ROOT),
        () => storage.dropKept(away),
      ]
      for (const call of calls) expect(await failure(call())).toBe('storage-busy')
    }
  })

  it('restores over nothing that is there, or a file over a file and a folder over an empty one', async () => {
    await plantFolder()
    await write(storage, at('/f'), 'f')
    await storage.keep(at('/d'), kept('folder'))
    await storage.keep(at('/f'), kept('file'))
    for (const path of ['/folder', '/full', '/full/in']) await storage.makeFolder(at(path))
    await write(storage, at('/taken'), 'taken')
    for (const [id, target, options] of [
      ['file', '/taken', STAY],
      ['file', '/folder', STAY],
      ['file', '/folder', REPLACE],
      ['folder', '/folder', STAY],
      ['folder', '/full', STAY],
      ['folder', '/full', REPLACE],
      ['folder', '/taken', REPLACE],
      ['file', '/', REPLACE],
    ] as const)
      expect(await failure(storage.restoreKept(kept(id), at(target), options))).toBe('already-exists')
    for (const target of ['/none/a', '/taken/a', ...PRIVATE_NAMES.map((name) => `/${name}`), '/.satchel/trash/folder/x'])
      expect(await failure(storage.restoreKept(kept('file'), at(target), REPLACE))).toBe('not-found')
    expect(await read(storage, at('/taken'))).toBe('taken')
    expect((await storage.keptNodes('trash')).map(({ id }) => id).sort()).toEqual(['file', 'folder'])
    await storage.restoreKept(kept('file'), at('/taken'), REPLACE)
    await storage.restoreKept(kept('folder'), at('/folder'), REPLACE)
    expect(await read(storage, at('/taken'))).toBe('f')
    expect(await read(storage, at('/folder/in/b'))).toBe('in in')
    expect(await storage.keptNodes('trash')).toEqual([])
  })

  it('makes what is kept inaccessible by any path', async () => {
    await plantFolder()
    await storage.keep(at('/d'), kept('1'))
    for (const path of ['/.satchel/trash', '/.satchel/trash/1', '/.satchel/trash/1/d/a', '/.SATCHEL/trash/1/d']) {
      expect(await storage.stat(at(path))).toBeNull()
      expect(await failure(storage.open(at(path)))).toBe('not-found')
      expect(await failure(storage.list(at(path)))).toBe('not-found')
      expect(await failure(storage.keep(at(path), kept('2')))).toBe('not-found')
      expect(await failure(storage.keepingVolume(at(path)))).toBe('not-found')
      expect(await failure(storage.move(at(path), at('/x'), STAY))).toBe('not-found')
    }
    for (const path of ['/.satchel/mark', '/in/.satchel']) expect(await failure(storage.openKept(kept('1'), at(path)))).toBe('not-found')
  })

  it('drops what is kept with everything below, and counts it', async () => {
    await plantFolder()
    await write(storage, at('/f'), 'f')
    await storage.keep(at('/d'), kept('1'))
    await storage.keep(at('/f'), kept('2'))
    const removed: number[] = []
    await storage.dropKept(kept('1'), { onProgress: (count) => removed.push(count) })
    expect(removed.at(-1)).toBe(5 + linkNames.length)
    expect(await storage.statKept(kept('1'))).toBeNull()
    expect(await failure(storage.restoreKept(kept('1'), at('/d'), STAY))).toBe('not-found')
    expect(await storage.keptNodes('trash')).toEqual([kept('2')])
    // A second call succeeds.
    await storage.dropKept(kept('1'))
    await storage.dropKept(kept('2'))
    await storage.dropKept(kept('never'))
    expect(await storage.keptNodes('trash')).toEqual([])
  })

  it('drops nothing when it was stopped before', async () => {
    await plantFolder()
    await storage.keep(at('/d'), kept('1'))
    expect(await failure(storage.dropKept(kept('1'), { signal: AbortSignal.abort(new Error('gone')) }))).toContain('gone')
    expect(await storage.restoreKept(kept('1'), at('/d'), STAY)).toBe(true)
    expect(await read(storage, at('/d/in/b'))).toBe('in in')
  })

  it('lets one of many keep a node, and one of many restore it', async () => {
    await plantFolder()
    const ids = Array.from({ length: 8 }, (_, index) => `${index}`)
    const keeping = await Promise.all(ids.map((id) => failure(storage.keep(at('/d'), kept(id)))))
    const oneOfEight = ['none', ...Array.from({ length: 7 }, () => 'not-found')]
    expect(keeping.toSorted()).toEqual(oneOfEight)
    const [one] = await storage.keptNodes('trash')
    if (one === undefined) throw new Error('nothing is kept')
    const restoring = await Promise.all(ids.map((id) => failure(storage.restoreKept(one, at(`/${id}`), STAY))))
    expect(restoring.toSorted()).toEqual(oneOfEight)
    expect(sortedNames(await storage.list(ROOT))).toHaveLength(1)
    expect(await storage.keptNodes('trash')).toEqual([])
  })

  it('keeps the file that a commit replaces', async () => {
    await write(storage, at('/a'), 'one')
    const old = await storage.stat(at('/a'))
    for (const [index, text] of ['two', 'three'].entries()) {
      const staged = storage.stage('s', { near: at('/a') })
      await staged.append(new TextEncoder().encode(text))
      await staged.commit(at('/a'), { replace: true, keep: kept(`${index}`, 'versions') })
    }
    expect(await read(storage, at('/a'))).toBe('three')
    expect(await storage.statKept(kept('0', 'versions'))).toMatchObject({ ...lasting(old), name: 'a' })
    expect(await readKept(kept('0', 'versions'))).toBe('one')
    expect(await readKept(kept('1', 'versions'))).toBe('two')
    expect(await storage.staged()).toEqual([])
    await storage.restoreKept(kept('0', 'versions'), at('/a'), REPLACE)
    expect(await read(storage, at('/a'))).toBe('one')
    await storage.dropKept(kept('1', 'versions'))
    expect(await storage.keptNodes('versions')).toEqual([])
  })

  promised(suite, 'old content')('keeps a file open that a commit replaces', async () => {
    await write(storage, at('/a'), 'one')
    await using reader = await storage.open(at('/a'))
    const staged = storage.stage('s', { near: at('/a') })
    await staged.commit(at('/a'), { replace: true, keep: kept('1', 'versions') })
    expect(new TextDecoder().decode(await reader.peek(0, 9))).toBe('one')
  })

  it('keeps nothing where a commit replaces no file', async () => {
    await write(storage, at('/target'), 'target')
    await sample.plantLink?.(at('/link'), 'target')
    await storage.makeFolder(at('/folder'))
    const keep = kept('1', 'versions')
    const commit = async (path: string, options: { replace: boolean }): Promise<unknown> =>
      storage.stage('s', { near: ROOT }).commit(at(path), { ...options, keep })
    await commit('/new', REPLACE)
    if (sample.plantLink) await commit('/link', REPLACE)
    expect(await failure(commit('/folder', REPLACE))).toBe('already-exists')
    expect(await failure(commit('/target', STAY))).toBe('already-exists')
    expect(await failure(commit('/none/a', REPLACE))).toBe('not-found')
    if (sample.plantLink) expect(await storage.stat(at('/link'))).toMatchObject({ kind: 'file' })
    expect(await read(storage, at('/target'))).toBe('target')
    expect(await storage.keptNodes('versions')).toEqual([])
  })

  it('replaces nothing where the id of the version is used', async () => {
    await write(storage, at('/a'), 'old')
    await write(storage, at('/b'), 'other')
    await storage.keep(at('/b'), kept('1', 'versions'))
    const staged = storage.stage('s', { near: ROOT })
    await staged.append(new TextEncoder().encode('new'))
    expect(await failure(staged.commit(at('/a'), { replace: true, keep: kept('1', 'versions') }))).toBe('already-exists')
    expect(await read(storage, at('/a'))).toBe('old')
    expect(await staged.size()).toBe(3)
    expect(await readKept(kept('1', 'versions'))).toBe('other')
  })

  it('keeps each of the files that many commits replace', async () => {
    await write(storage, at('/a'), '-')
    const texts = Array.from({ length: 6 }, (_, index) => `${index}`)
    await Promise.all(
      texts.map(async (text) => {
        const staged = storage.stage(`s-${text}`, { near: at('/a') })
        await staged.append(new TextEncoder().encode(text))
        for (;;) {
          const code = await failure(staged.commit(at('/a'), { replace: true, keep: kept(text, 'versions') }))
          if (code !== 'busy') return expect(code).toBe('none')
        }
      }),
    )
    const versions = await Promise.all((await storage.keptNodes('versions')).map((one) => readKept(one)))
    expect([...versions, await read(storage, at('/a'))].sort()).toEqual(['-', ...texts])
  })

  it('keeps the file that a move replaces, and nothing where a move replaces none', async () => {
    await write(storage, at('/a'), 'moved')
    await write(storage, at('/b'), 'old')
    const keep = (id: string) => ({ replace: true, keep: kept(id, 'versions') })
    expect(await storage.move(at('/a'), at('/b'), keep('1'))).toBe(true)
    expect([await storage.stat(at('/a')), await read(storage, at('/b'))]).toEqual([null, 'moved'])
    expect(await readKept(kept('1', 'versions'))).toBe('old')
    await storage.move(at('/b'), at('/c'), keep('2'))
    await storage.move(at('/c'), at('/c'), keep('3'))
    await storage.makeFolder(at('/d'))
    await storage.makeFolder(at('/e'))
    await storage.move(at('/d'), at('/e'), keep('4'))
    expect(await storage.keptNodes('versions')).toEqual([kept('1', 'versions')])
  })

  promised(suite, 'attributes')('gives a kept file the mode and the time that it had', async () => {
    await write(storage, at('/a'), 'a')
    const before = await storage.stat(at('/a'))
    await storage.keep(at('/a'), kept('1', 'versions'))
    await storage.resetKept(kept('1', 'versions'), { mode: 0o604, modified: 1e12 + 0.25 })
    const now = await storage.statKept(kept('1', 'versions'))
    expect([(now?.mode ?? 0) & 0o777, Math.floor(now?.modified ?? 0), now?.identity]).toEqual([0o604, 1e12, before?.identity])
    expect(await readKept(kept('1', 'versions'))).toBe('a')
    await storage.makeFolder(at('/d'))
    await storage.keep(at('/d'), kept('2', 'versions'))
    for (const id of ['2', '3']) await storage.resetKept(kept(id, 'versions'), { mode: 0o700, modified: 1 })
    expect((await storage.statKept(kept('2', 'versions')))?.modified).not.toBe(1)
  })

  it('keeps the file that a restored one replaces, which may become a save of it', async () => {
    await write(storage, at('/a'), 'present')
    await write(storage, at('/b'), 'earlier')
    await storage.keep(at('/b'), kept('1', 'versions'))
    const [old, earlier] = [await storage.stat(at('/a')), await storage.statKept(kept('1', 'versions'))]
    const asSave = { replace: true, keep: kept('2', 'versions'), asSave: true }
    expect(await storage.restoreKept(kept('1', 'versions'), at('/a'), asSave)).toBe(true)
    expect([await read(storage, at('/a')), await readKept(kept('2', 'versions'))]).toEqual(['earlier', 'present'])
    const now = await storage.stat(at('/a'))
    expect(now?.mode).toBe(old?.mode ?? 0)
    if (!suite.cannot?.includes('nodes')) expect(now?.identity).toBe(earlier?.identity ?? '')
    expect(now?.modified).toBeGreaterThanOrEqual(earlier?.modified ?? Infinity)
    expect(await storage.keptNodes('versions')).toEqual([kept('2', 'versions')])
  })
}
