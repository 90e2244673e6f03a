import { describe, expect, it } from 'bun:test'
import type { Storage } from '../storage/storage.ts'
import { parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { failure } from '../storage/test-samples.ts'
import { numbered } from '../../shared/numbering.ts'
import { openDrive } from './drive.ts'
import { accessOf, caseBlind, deny, driveOn, locking, manifest, plant, PLAIN, put, RENAME, REPLACE, withMount } from './samples.suite.ts'

const TREE = { '/a/x': 'ax', '/a/in/y': 'ay', '/b/x': 'bx', '/b/only': 'bo', '/f': 'f' }
const BOTH = ['copy', 'move'] as const

describe.each([...BOTH])('%s', (verb) => {
  it('creates the parents of its target', async () => {
    const storage = await plant(TREE)
    expect(await driveOn(storage)[verb](at('/a'), at('/new/deep/a'), PLAIN)).toBe(at('/new/deep/a'))
    expect(await manifest(storage)).toMatchObject({ '/new/deep/a/x': 'ax', '/new/deep/a/in/y': 'ay' })
    expect(await storage.stat(at('/a'))).toEqual(verb === 'copy' ? expect.anything() : null)
  })

  it('refuses a taken name, and merges with replace', async () => {
    const storage = await plant(TREE)
    const drive = driveOn(storage)
    expect(await failure(drive[verb](at('/a'), at('/b'), PLAIN))).toBe('already-exists')
    expect(await failure(drive[verb](at('/f'), at('/b/x'), PLAIN))).toBe('already-exists')
    await drive[verb](at('/a'), at('/b'), REPLACE)
    expect(await manifest(storage)).toMatchObject({ '/b/x': 'ax', '/b/only': 'bo', '/b/in/y': 'ay' })
  })

  it('changes nothing if a file would replace a folder or a folder a file', async () => {
    const storage = await plant({ ...TREE, '/b/in': 'a file', '/c/only/z': '' })
    const before = await manifest(storage)
    const drive = driveOn(storage)
    for (const [from, to] of [
      ['/a', '/b'],
      ['/b', '/c'],
      ['/f', '/a'],
      ['/a', '/f'],
    ] as const)
      expect(await failure(drive[verb](at(from), at(to), REPLACE))).toBe('already-exists')
    expect(await manifest(storage)).toEqual(before)
  })

  it('adds a number to a taken name, repeatedly', async () => {
    const storage = await plant({ '/a.txt': '1', '/b.txt': '2' })
    const drive = driveOn(storage)
    expect(await drive[verb](at('/a.txt'), at('/b.txt'), RENAME)).toBe(at('/b(1).txt'))
    await put(drive, '/c', 'c')
    expect(await drive[verb](at('/c'), at('/b.txt'), RENAME)).toBe(at('/b(2).txt'))
    expect(await drive.copy(at('/b.txt'), at('/free.txt'), RENAME)).toBe(at('/free.txt'))
  })

  it('gives each of many parallel transfers its own number', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `/${i}`)
    const storage = await plant({ '/taken.txt': '', ...Object.fromEntries(names.map((name) => [name, name])) })
    const places = await Promise.all(names.map((name) => driveOn(storage)[verb](at(name), at('/taken.txt'), RENAME)))
    expect(new Set(places).size).toBe(8)
    for (const [i, place] of places.entries()) expect((await manifest(storage))[place]).toBe(`/${i}`)
  })

  it('is refused for the root and into itself, also through a link', async () => {
    const storage = await plant({ ...TREE, '/l': '→ a/in' })
    const before = await manifest(storage)
    const drive = driveOn(storage)
    expect(await failure(drive[verb](ROOT, at('/z'), PLAIN))).toBe('forbidden')
    expect(await failure(drive[verb](at('/f'), ROOT, REPLACE))).toBe('forbidden')
    expect(await failure(drive[verb](at('/a'), at('/a/in/z'), PLAIN))).toBe('invalid-input')
    expect(await failure(drive[verb](at('/a'), at('/l/z'), PLAIN))).toBe('invalid-input')
    expect(await failure(drive[verb](at('/a/in'), at('/a'), REPLACE))).toBe('already-exists')
    expect(await manifest(storage)).toEqual({ ...before })
  })

  it('is refused as a whole if a rule denies any target path (GHSA-77x8-73f4-5485)', async () => {
    const storage = await plant(TREE)
    const before = await manifest(storage)
    const drive = driveOn(storage, { rules: [deny('/z/in/y')] })
    expect(await failure(drive[verb](at('/a'), at('/z'), PLAIN))).toBe('forbidden')
    expect(await failure(drive[verb](at('/a'), at('/z/in/y'), PLAIN))).toBe('not-found')
    expect(await manifest(storage)).toEqual(before)
  })

  it('stops between files when aborted, and leaves no partial file', async () => {
    const storage = withMount(await plant({ '/a/1': '1', '/a/2': '2', '/a/3': '3', '/disk/': '' }), at('/disk'))
    const stopped = new AbortController()
    const operation = driveOn(storage)[verb](at('/a'), at('/disk/a'), {
      ...PLAIN,
      signal: stopped.signal,
      onProgress: (bytes) => bytes === 2 && stopped.abort(new Error('gone')),
    })
    expect(await failure(operation)).toContain('gone')
    const after = await manifest(storage)
    expect(after).toMatchObject({ '/a/1': '1', '/a/2': '2', '/a/3': '3' })
    const copied = Object.entries(after).filter(([path]) => path.startsWith('/disk/a/') && !path.endsWith('/'))
    expect(copied.length).toBe(verb === 'copy' ? 2 : 0)
    for (const [path, content] of copied) expect(path).toBe(`/disk/a/${content}`)
    expect(await storage.staged()).toEqual([])
  })
})

describe('copying', () => {
  it('keeps time and mode of a file, and reports its bytes', async () => {
    const storage = await plant({})
    const drive = driveOn(storage)
    await storage.stage('s', { near: ROOT }).commit(at('/a'), { replace: false, modified: 1_600_000_000_000, mode: 0o4751 })
    await put(drive, '/d/one', '12')
    await put(drive, '/d/two', '345')
    await drive.copy(at('/a'), at('/b'), PLAIN)
    expect((await drive.stat(at('/b'))).stat).toMatchObject({ modified: 1_600_000_000_000, mode: 0o100751 })
    const progress: number[] = []
    await drive.copy(at('/d'), at('/e'), { ...PLAIN, onProgress: (bytes) => progress.push(bytes) })
    expect(progress).toEqual([2, 5])
  })

  it('skips nodes that the viewer cannot see', async () => {
    const storage = await plant({ '/a/.hidden': 'h', '/a/secret/key': 'k', '/a/x': 'x' })
    await driveOn(storage, { hideDotfiles: true, rules: [deny('/a/secret')] }).copy(at('/a'), at('/b'), PLAIN)
    expect(await manifest(storage, at('/b'))).toEqual({ '/b/x': 'x' })
  })

  it('copies the targets of links if they may be followed, and always ends', async () => {
    const storage = await plant({
      '/a/file': '→ ../f',
      '/a/folder': '→ ../d',
      '/a/out': '→ ../../x',
      '/a/gone': '→ nothing',
      '/a/up': '→ ../a',
      '/a/goal': '→ ../b',
      '/a/denied': '→ ../s',
      '/d/x': 'x',
      '/d/again': '→ ../d2',
      '/d2/y': 'y',
      '/s/key': 'k',
      '/f': 'f',
      '/b/': '',
    })
    await driveOn(storage, { rules: [deny('/s')] }).copy(at('/a'), at('/b/a'), PLAIN)
    expect(await manifest(storage, at('/b'))).toEqual({ '/b/a/': '', '/b/a/file': 'f', '/b/a/folder/': '', '/b/a/folder/x': 'x' })
  })

  it('onto itself is refused; beside itself it gets a number', async () => {
    const storage = await plant({ '/a': 'a', '/l': '→ a' })
    const drive = driveOn(storage)
    expect(await failure(drive.copy(at('/a'), at('/a'), PLAIN))).toBe('already-exists')
    expect(await failure(drive.copy(at('/a'), at('/a'), REPLACE))).toBe('invalid-input')
    expect(await failure(drive.copy(at('/l'), at('/a'), REPLACE))).toBe('invalid-input')
    expect(await drive.copy(at('/a'), at('/a'), RENAME)).toBe(at('/a(1)'))
    expect(await manifest(storage)).toMatchObject({ '/a': 'a', '/a(1)': 'a' })
  })

  it('leaves no staged bytes when the disk is full', async () => {
    const storage = await plant({ '/a': 'a' })
    const full = {
      ...storage,
      stage: (id: string, near: Parameters<typeof storage.stage>[1]) => ({
        ...storage.stage(id, near),
        commit: () => Promise.reject(new Error('full')),
      }),
    }
    expect(await failure(driveOn(full).copy(at('/a'), at('/b'), PLAIN))).toContain('full')
    expect(await storage.staged()).toEqual([])
    expect(await manifest(storage)).toEqual({ '/a': 'a' })
  })
})

describe('moving', () => {
  it('is refused as a whole if a rule denies a part (GHSA-77x8-73f4-5485)', async () => {
    const storage = await plant(TREE)
    const before = await manifest(storage)
    expect(await failure(driveOn(storage, { rules: [deny('/a/in/y')] }).move(at('/a'), at('/z'), PLAIN))).toBe('forbidden')
    expect(await manifest(storage)).toEqual(before)
  })

  it('moves hidden dotfiles and links with their folder', async () => {
    const storage = await plant({ '/a/.DS_Store': 'd', '/a/l': '→ nowhere' })
    await driveOn(storage, { hideDotfiles: true }).move(at('/a'), at('/z'), PLAIN)
    expect(await manifest(storage)).toEqual({ '/z/': '', '/z/.DS_Store': 'd', '/z/l': '(link)' })
  })

  it('to the same path does nothing', async () => {
    const storage = await plant(TREE)
    const before = await manifest(storage)
    for (const options of [PLAIN, REPLACE, RENAME]) expect(await driveOn(storage).move(at('/f'), at('/f'), options)).toBe(at('/f'))
    expect(await manifest(storage)).toEqual(before)
  })

  it('changes the case of a name on a case-insensitive disk', async () => {
    const memory = await plant({ '/readme': 'r' })
    const blind = caseBlind(memory)
    // Found by a name that no list has.
    const find: Storage['find'] = async (path, options) => ({ ...(await memory.find(path, options)), stat: await blind.stat(path) })
    const storage = { ...blind, find, move: memory.move }
    await openDrive(storage, accessOf()).move(at('/readme'), at('/README'), PLAIN)
    expect(await manifest(memory)).toEqual({ '/README': 'r' })
  })

  it('copies to another file system and then removes, including dotfiles', async () => {
    const storage = await plant({ '/a/x': 'x', '/a/.h/y': 'y', '/disk/a/x': 'old', '/disk/a/z': 'z' })
    await driveOn(withMount(storage, at('/disk')), { hideDotfiles: true }).move(at('/a'), at('/disk/a'), REPLACE)
    expect(await manifest(storage)).toEqual({
      '/disk/': '',
      '/disk/a/': '',
      '/disk/a/.h/': '',
      '/disk/a/.h/y': 'y',
      '/disk/a/x': 'x',
      '/disk/a/z': 'z',
    })
  })

  it('to another file system is refused if there are links', async () => {
    const storage = await plant({ '/a/x': 'x', '/a/l': '→ x', '/disk/': '' })
    const before = await manifest(storage)
    expect(await failure(driveOn(withMount(storage, at('/disk'))).move(at('/a'), at('/disk/a'), PLAIN))).toBe('invalid-input')
    expect(await manifest(storage)).toEqual(before)
  })

  it('to another file system changes nothing if the source cannot be removed', async () => {
    for (const [from, locked] of [
      ['/a', '/a'],
      ['/a', '/a/in'],
      ['/a', '/a/x'],
      ['/f', '/f'],
    ] as const) {
      const storage = await plant({ ...TREE, '/disk/old/x': 'x' })
      const before = await manifest(storage)
      const drive = driveOn(withMount(locking(storage, locked), at('/disk')))
      expect(await failure(drive.move(at(from), at('/disk/new/parent/a'), PLAIN))).toBe('forbidden')
      expect(await manifest(storage)).toEqual(before)
    }
  })

  it('to another file system keeps each file once if the removal fails midway', async () => {
    const storage = await plant({ '/a/1': '1', '/a/2': '2', '/a/3': '3', '/disk/': '' })
    const drive = driveOn(withMount(locking(storage, '/a/2'), at('/disk')))
    expect(await failure(drive.move(at('/a'), at('/disk/a'), PLAIN))).toBe('forbidden')
    expect(await manifest(storage)).toEqual({ '/a/': '', '/a/2': '2', '/a/3': '3', '/disk/': '', '/disk/a/': '', '/disk/a/1': '1' })
  })

  it('to another file system keeps existing and foreign files if it fails', async () => {
    const storage = await plant({ '/a/x': 'new', '/a/y': 'y', '/disk/a/x': 'old', '/disk/a/z': 'z' })
    let planted: Promise<void> | null = null
    const onProgress = (): void => void (planted ??= put(driveOn(storage), '/disk/a/sub/late', 'late'))
    const drive = driveOn(withMount(locking(storage, '/a'), at('/disk')))
    expect(await failure(drive.move(at('/a'), at('/disk/a'), { ...REPLACE, onProgress }))).toBe('forbidden')
    await planted
    expect(await manifest(storage)).toEqual({
      '/a/': '',
      '/a/x': 'new',
      '/a/y': 'y',
      '/disk/': '',
      '/disk/a/': '',
      '/disk/a/sub/': '',
      '/disk/a/sub/late': 'late',
      '/disk/a/x': 'new',
      '/disk/a/z': 'z',
    })
  })

  it('to another file system removes nothing that was added or changed after the copy', async () => {
    const storage = await plant({ '/a/x': 'x', '/a/y': 'y', '/disk/': '' })
    let done = 0
    const onProgress = (): void => {
      if (++done === 2) late = put(driveOn(storage), '/a/new', 'late')
    }
    let late: Promise<void> | null = null
    const slow = withMount(storage, at('/disk'))
    const list: typeof slow.list = async (path, options) => {
      await late
      return slow.list(path, options)
    }
    expect(await failure(driveOn({ ...slow, list }).move(at('/a'), at('/disk/a'), { ...PLAIN, onProgress }))).toBe('busy')
    expect(await manifest(storage)).toEqual({ '/a/': '', '/a/new': 'late', '/a/x': 'x', '/a/y': 'y', '/disk/': '' })
  })
})

it('numbers are added before the last dot', () => {
  expect(['b.txt', 'x.tar.gz', '.bashrc', 'docs2'].map((name) => numbered(name, 1))).toEqual([
    'b(1).txt',
    'x.tar(1).gz',
    '(1).bashrc',
    'docs2(1)',
  ])
})
