import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { createLocalStorage } from './local.ts'
import { createRootedStorage } from './rooted-storage.ts'
import { type Kept, pickRows, type Storage } from './storage.ts'
import { describeStorage } from './storage.suite.ts'
import { belowFolder } from './test-below-storage.ts'
import { createMemoryStorage } from './test-memory-storage.ts'
import { failure, locate, read, type Sample, sortedNames, streamOf, write } from './test-samples.ts'

/** Another file system than the one of temporary folders. */
const OTHER_DISK = '/dev/shm'

async function twoFolders() {
  const [main, other] = [await mkdtemp(join(tmpdir(), 'roots-main-')), await mkdtemp(join(OTHER_DISK, 'roots-other-'))]
  const storage = createRootedStorage({
    main: createLocalStorage(main),
    roots: [{ name: 'disk', storage: createLocalStorage(other) }],
  })
  return { main, other, storage, dispose: () => Promise.all([main, other].map((folder) => rm(folder, { recursive: true }))) }
}

describeStorage('further root', async (): Promise<Sample> => {
  const { other, storage, dispose } = await twoFolders()
  return {
    storage: belowFolder(storage, at('/disk')),
    plantLink: (path, target) => symlink(target.startsWith('/') ? other + target : target, other + path),
    dispose: async () => void (await dispose()),
  }
})

// In a folder beside the further root, because the suite begins with an empty one.
describeStorage('main root beside a further one', async (): Promise<Sample> => {
  const further = createMemoryStorage()
  const main = await mkdtemp(join(tmpdir(), 'roots-main-'))
  const storage = createRootedStorage({ main: createLocalStorage(main), roots: [{ name: 'further root', storage: further }] })
  return {
    storage: { ...storage, list: async (where, options) => withoutRoot(await storage.list(where, options)) },
    plantLink: (path, target) => symlink(target.startsWith('/') ? main + target : target, main + path),
    dispose: () => rm(main, { recursive: true }),
  }
})

function withoutRoot(columns: Awaited<ReturnType<Storage['list']>>): Awaited<ReturnType<Storage['list']>> {
  const rows = [...columns.names.keys()].filter((row) => columns.names.at(row) !== 'further root')
  return pickRows(columns, rows)
}

describe('several roots in one tree', () => {
  let sample: Awaited<ReturnType<typeof twoFolders>>
  let storage: Storage
  beforeEach(async () => {
    sample = await twoFolders()
    storage = sample.storage
    await write(storage, at('/here.txt'), 'here')
    await write(storage, at('/disk/there.txt'), 'there')
  })
  afterEach(() => sample.dispose())

  it('shows a further root as a folder of the top folder, with its identity', async () => {
    const listed = await storage.list(ROOT, { identities: true })
    const row = [...listed.names].indexOf('disk')
    expect(sortedNames(listed)).toEqual(['disk', 'here.txt'])
    expect((listed.modes[row] ?? 0) & 0o170000).toBe(0o040000)
    expect(listed.identities?.at(row)).toBe((await storage.stat(at('/disk')))?.identity ?? '')
    expect(sortedNames(await storage.list(at('/disk')))).toEqual(['there.txt'])
    expect(await locate(storage, at('/disk/there.txt'), { within: ROOT, leaf: 'follow' })).toBe(at('/disk/there.txt'))
  })

  it('keeps the bytes of each root on its own disk', () => {
    expect(existsSync(`${sample.other}/there.txt`)).toBe(true)
    expect(existsSync(`${sample.other}/.satchel/staging`)).toBe(true)
    expect(existsSync(`${sample.main}/disk`)).toBe(false)
  })

  it('renames nothing between roots, and says so', async () => {
    expect(await storage.move(at('/here.txt'), at('/disk/here.txt'), { replace: false })).toBe(false)
    expect(await storage.move(at('/disk/there.txt'), at('/there.txt'), { replace: true })).toBe(false)
    expect(await read(storage, at('/here.txt'))).toBe('here')
    expect(await read(storage, at('/disk/there.txt'))).toBe('there')
  })

  it('copies a file of one root into another, with progress', async () => {
    const large = new Uint8Array(3_000_000).fill(7)
    await write(storage, at('/large'), large)
    const seen: number[] = []
    const staged = storage.stage('copy', { near: at('/disk/large') })
    await staged.copyFrom(at('/large'), { onProgress: (bytes) => seen.push(bytes) })
    expect(seen.at(-1)).toBe(large.length)
    await staged.commit(at('/disk/large'), { replace: false })
    expect(await read(storage, at('/disk/large'))).toBe(await read(storage, at('/large')))
  })

  it('keeps a root where it is, under its name', async () => {
    await storage.makeFolder(at('/folder'))
    expect(await failure(storage.remove(at('/disk')))).toBe('busy')
    expect(await failure(storage.move(at('/disk'), at('/moved'), { replace: false }))).toBe('busy')
    expect(await failure(storage.move(at('/folder'), at('/disk'), { replace: true }))).toBe('busy')
    expect(await failure(storage.makeFolder(at('/disk')))).toBe('already-exists')
    expect(await failure(write(storage, at('/disk'), 'x', { replace: true }))).toBe('already-exists')
    expect(await storage.keepingVolume(at('/disk'))).toBeNull()
    expect(await failure(storage.keep(at('/disk'), { area: 'trash', volume: ROOT, id: '1' }))).toBe('busy')
    expect(await read(storage, at('/disk/there.txt'))).toBe('there')
  })

  it('keeps what is deleted on the disk of its root', async () => {
    const volume = (await storage.keepingVolume(at('/disk/there.txt'))) ?? ROOT
    expect(volume).toBe(at('/disk'))
    const kept: Kept = { area: 'trash', volume, id: '1' }
    expect(await storage.keep(at('/here.txt'), kept)).toBeNull()
    expect(await storage.keep(at('/disk/there.txt'), kept)).toMatchObject({ kind: 'file' })
    expect(existsSync(`${sample.other}/.satchel/trash/1`)).toBe(true)
    expect(await storage.keptNodes('trash')).toEqual([kept])
    expect(await storage.restoreKept(kept, at('/there.txt'), { replace: false })).toBe(false)
    expect(await storage.restoreKept(kept, at('/disk/there.txt'), { replace: false })).toBe(true)
  })

  it('follows no link from one root into another', async () => {
    symlinkSync('disk/there.txt', `${sample.main}/to-disk`)
    symlinkSync('../here.txt', `${sample.other}/up`)
    symlinkSync(`${sample.main}/here.txt`, `${sample.other}/absolute`)
    const follow = { within: ROOT, leaf: 'follow' } as const
    for (const path of ['/to-disk', '/disk/up', '/disk/absolute'])
      expect(await failure(locate(storage, at(path), follow))).toBe('not-found')
  })

  it('hides what another program puts under the name of a root, by any way', async () => {
    mkdirSync(`${sample.main}/disk`)
    writeFileSync(`${sample.main}/disk/secret`, 'hidden')
    symlinkSync('disk', `${sample.main}/link`)
    symlinkSync('disk/secret', `${sample.main}/link-to-file`)
    expect(await failure(storage.open(at('/disk/secret')))).toBe('not-found')
    const follow = { within: ROOT, leaf: 'follow' } as const
    for (const path of ['/link', '/link/secret', '/link-to-file'])
      expect(await failure(locate(storage, at(path), follow))).toBe('not-found')
    expect(sortedNames(await storage.list(ROOT)).filter((name) => name === 'disk')).toEqual(['disk'])
    expect(sortedNames(await storage.list(at('/disk')))).toEqual(['there.txt'])
  })

  it('finds what is staged wherever it is, without a target', async () => {
    await storage.stage('half', { near: at('/disk/half') }).append(streamOf(new Uint8Array(5)))
    expect(await storage.staged()).toEqual(['half'])
    const found = storage.stage('half', { near: ROOT })
    expect(await found.size()).toBe(5)
    expect(await found.changed()).toBeNumber()
    await found.discard()
    expect(await storage.staged()).toEqual([])
  })

  it('publishes what it finds staged in the root of the target', async () => {
    await storage.stage('found', { near: at('/disk/any') }).append(new TextEncoder().encode('bytes'))
    const found = storage.stage('found', { near: ROOT })
    expect(await failure(found.commit(at('/disk/there.txt'), { replace: false }))).toBe('already-exists')
    expect(await found.size()).toBe('bytes'.length)
    await found.commit(at('/disk/found.txt'), { replace: false })
    expect(await read(storage, at('/disk/found.txt'))).toBe('bytes')
    expect(await storage.staged()).toEqual([])
  })

  it('leaves no copy in another root when a staged file cannot be published there', async () => {
    const staged = storage.stage('refused', { near: at('/disk/new.txt') })
    await staged.append(streamOf(new Uint8Array(5)))
    expect(await failure(staged.commit(at('/here.txt'), { replace: false }))).toBe('already-exists')
    expect(await staged.size()).toBe(5)
    await staged.discard()
    expect(await storage.staged()).toEqual([])
  })

  it('publishes what was staged for another root, and what replaces a file keeps its bytes until then', async () => {
    const staged = storage.stage('for-main', { near: at('/upload') })
    await staged.append(new TextEncoder().encode('moved on'))
    expect(await failure(staged.commit(at('/disk/there.txt'), { replace: false }))).toBe('already-exists')
    expect(await staged.size()).toBe('moved on'.length)
    expect(await staged.commit(at('/disk/moved.txt'), { replace: false })).toMatchObject({ size: 'moved on'.length })
    expect(await read(storage, at('/disk/moved.txt'))).toBe('moved on')
    expect(await storage.staged()).toEqual([])
    await storage.stage('empty', { near: at('/upload') }).commit(at('/disk/empty.txt'), { replace: false })
    expect(await read(storage, at('/disk/empty.txt'))).toBe('')
  })

  it('tells of private folders of all roots by their places in the tree', async () => {
    const places = await storage.privatePlaces(ROOT)
    expect(places.map(({ path }) => path)).toEqual(expect.arrayContaining([ROOT, at('/disk')]))
    const used: string[] = []
    storage.onPrivateUse((volume) => void used.push(volume))
    await write(storage, at('/disk/new'), 'x')
    expect(new Set(used)).toEqual(new Set(['/disk']))
  })
})
