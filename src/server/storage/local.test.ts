import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFilePath as at, joinPath, ROOT } from '../../shared/file-path.ts'
import { createLocalStorage } from './local.ts'
import { failure, locate, read, type Sample, sortedNames, streamOf, write } from './test-samples.ts'
import { describeStorage } from './storage.suite.ts'
import type { Storage } from './storage.ts'
import { RUNTIME_COMMAND } from '../entries/runtime.ts'

const NOBODY = 65534
const TEAM = 4242

describeStorage('local', async (): Promise<Sample> => {
  const root = await mkdtemp(join(tmpdir(), 'storage-'))
  return {
    storage: createLocalStorage(root),
    plantLink: (path, target) => symlink(target.startsWith('/') ? root + target : target, root + path),
    dispose: () => rm(root, { recursive: true }),
  }
})

describe('local storage on a real disk', () => {
  let root: string
  let storage: Storage
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'storage-'))
    storage = createLocalStorage(root)
  })
  afterEach(() => rm(root, { recursive: true }))

  it('R1: publishes nothing if another writer has taken over the staged file', async () => {
    const staged = storage.stage('one', { near: at('/a') })
    await staged.append(Buffer.from('hello'))
    await write(storage, at('/a'), 'old')
    expect(await storage.stage('two', { near: at('/a') }).adopt('one', 5)).toBe('adopted')
    expect(await failure(staged.commit(at('/a'), { replace: true }))).toBe('not-found')
    expect(await read(storage, at('/a'))).toBe('old')
  })

  it('never opens a pipe, but lists, moves and removes it (GHSA-8q5j-8wcr-8v2v)', async () => {
    run('mkfifo', `${root}/pipe`)
    expect(await storage.stat(at('/pipe'))).toMatchObject({ kind: 'special' })
    expect(await failure(storage.open(at('/pipe')))).toBe('not-found')
    expect(await failure(storage.stage('x', { near: ROOT }).copyFrom(at('/pipe')))).toBe('not-found')
    await storage.move(at('/pipe'), at('/moved'), { replace: false })
    await storage.remove(at('/moved'))
    expect([...(await storage.list(ROOT)).names]).toEqual([])
  })

  it('lists a folder of many thousands like a small one', async () => {
    mkdirSync(`${root}/many`)
    for (let i = 0; i < 3000; i++) writeFileSync(`${root}/many/${'long-name-'.repeat(3)}${i}`, 'x'.repeat(i % 10))
    writeFileSync(Buffer.concat([Buffer.from(`${root}/many/`), Uint8Array.of(0x61, 0xff)]), 'odd')
    mkdirSync(`${root}/many/.satchel`)
    let early: readonly string[] = []
    const columns = await storage.list(at('/many'), { onNames: (names) => (early = [...names]) })
    const names = [...columns.names]
    expect(early).toEqual(names)
    expect(names.length).toBe(3001)
    for (const index of [0, 1500, 3000]) {
      const stat = await storage.stat(joinPath(at('/many'), names[index] ?? ''))
      expect(stat).toMatchObject({ size: columns.sizes[index], modified: columns.modified[index], mode: columns.modes[index] })
    }
    expect(names).toContain('a\udcff')
  })

  it('lists a folder while its files change', async () => {
    // It ends between two commands, so that nothing of it is still at work when its folder goes.
    const child = Bun.spawn(
      ['sh', '-c', 'trap exit TERM; while :; do i=0; while [ $i -lt 300 ]; do : > f$i; i=$((i+1)); done; rm -f f*; done'],
      {
        cwd: root,
      },
    )
    try {
      for (let i = 0; i < 200; i++) {
        const { names, modes } = await storage.list(ROOT)
        expect(names.length).toBe(modes.length)
        expect(modes.every((mode) => mode !== 0)).toBe(true)
      }
    } finally {
      child.kill('SIGTERM')
      await child.exited
    }
  })

  it('hides its staging folder', async () => {
    await storage.stage('pending', { near: ROOT }).append(new Uint8Array(3))
    expect(statSync(`${root}/.satchel`).mode & 0o777).toBe(0o700)
    expect(statSync(`${root}/.satchel/staging/pending`).mode & 0o777).toBe(0o600)
  })

  it('does not write through a link in place of its staging folder', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'outside-'))
    symlinkSync(outside, `${root}/.satchel`)
    expect(await failure(write(storage, at('/a'), 'x'))).toBe('not-found')
    expect(readdirSync(outside)).toEqual([])
    rmSync(outside, { recursive: true })
  })

  it('gives new files and folders the configured mode, and a saved one keeps its own', async () => {
    const shared = createLocalStorage(root, { fileMode: 0o664, folderMode: 0o700 })
    await write(shared, at('/a'), 'x')
    await shared.makeFolder(at('/b'))
    expect(statSync(`${root}/a`).mode & 0o777).toBe(0o664)
    expect(statSync(`${root}/b`).mode & 0o777).toBe(0o700)
    await write(storage, at('/a'), 'y', { replace: true })
    expect(statSync(`${root}/a`).mode & 0o777).toBe(0o664)
  })

  it('reports the same time for a file in stat and list, to the nanosecond', async () => {
    await write(storage, at('/a'), 'x')
    utimesSync(`${root}/a`, 1_700_000_000.123_456, 1_700_000_000.123_456)
    const [listed] = (await storage.list(ROOT)).modified
    expect((await storage.stat(at('/a')))?.modified).toBe(listed)
    expect(Math.abs((listed ?? 0) - 1_700_000_000_123.456)).toBeLessThan(0.01)
  })

  it('A10: removes the bits when an old file with them is replaced', async () => {
    for (const [bits, kept] of [
      [0o4755, 0o755],
      [0o6711, 0o711],
    ] as const) {
      writeFileSync(`${root}/tool`, 'x')
      chmodSync(`${root}/tool`, bits)
      await write(storage, at('/tool'), 'y', { replace: true })
      expect(statSync(`${root}/tool`).mode & 0o7777).toBe(kept)
    }
  })

  it('keeps the owner of a replaced file, and the group of a setgid folder', async () => {
    if (process.getuid?.() !== 0) throw new Error('this test gives files away and needs to be root')
    mkdirSync(`${root}/team`)
    chownSync(`${root}/team`, 0, 12345)
    chmodSync(`${root}/team`, 0o2770)
    await write(storage, at('/team/new'), 'x')
    expect(statSync(`${root}/team/new`)).toMatchObject({ uid: 0, gid: 12345 })
    chownSync(`${root}/team/new`, 4321, 54321)
    await write(storage, at('/team/new'), 'y', { replace: true })
    expect(statSync(`${root}/team/new`)).toMatchObject({ uid: 4321, gid: 54321 })
  })

  it('reports the progress of a large copy, unless the file system clones it', async () => {
    const size = 9 * 1024 ** 2
    writeFileSync(`${root}/large`, '')
    truncateSync(`${root}/large`, size)
    const seen: number[] = []
    await storage.stage('large', { near: ROOT }).copyFrom(at('/large'), { onProgress: (bytes) => seen.push(bytes) })
    expect([[], [4 * 1024 ** 2, 8 * 1024 ** 2, size]]).toContainEqual(seen)
  })

  it('stops a long copy between chunks, and does not block others', async () => {
    writeFileSync(`${root}/long`, '')
    truncateSync(`${root}/long`, 8_000_000_000)
    const staged = storage.stage('long', { near: ROOT })
    let ticks = 0
    const stop = new AbortController()
    const ticking = setInterval(() => ++ticks === 10 && stop.abort(), 2)
    expect(await failure(staged.copyFrom(at('/long'), { signal: stop.signal }))).not.toBe('none')
    clearInterval(ticking)
    expect(await staged.size()).toBeLessThan(8_000_000_000)
  })

  it('moves a hard link onto another link of the same file by removing the old name', async () => {
    await write(storage, at('/a'), 'x')
    run('ln', `${root}/a`, `${root}/A`)
    expect(await failure(storage.move(at('/a'), at('/A'), { replace: false }))).toBe('already-exists')
    await storage.move(at('/a'), at('/A'), { replace: true })
    expect([...(await storage.list(ROOT)).names]).toEqual(['A'])
    await storage.move(at('/A'), at('/A'), { replace: true })
    expect(await read(storage, at('/A'))).toBe('x')
  })

  it('publishes after a kill between the two steps of linking', async () => {
    const staged = storage.stage('half', { near: ROOT })
    await staged.append(new TextEncoder().encode('whole'))
    linkSync(join(root, '.satchel/staging/half'), join(root, 'a'))
    expect(await staged.commit(at('/a'), { replace: false })).toMatchObject({ size: 5 })
    expect(await storage.staged()).toEqual([])
    expect(await read(storage, at('/a'))).toBe('whole')
  })

  it('supports paths longer than the kernel’s limit', async () => {
    let path = ROOT
    for (let i = 0; i < 30; i++) {
      path = joinPath(path, 'd'.repeat(200))
      await storage.makeFolder(path)
    }
    await write(storage, joinPath(path, 'deep.txt'), 'deep')
    expect(await read(storage, joinPath(path, 'deep.txt'))).toBe('deep')
  })

  it('fails with `forbidden` for missing file permissions', () => {
    mkdirSync(`${root}/closed`, { mode: 0o700 })
    run('chmod', '755', root)
    const script = `
      import { createLocalStorage } from '${import.meta.dir}/local.ts'
      import { failure, write } from '${import.meta.dir}/test-samples.ts'
      const storage = createLocalStorage('${root}')
      console.log(await failure(storage.list('/closed')), await failure(storage.stat('/closed/x')), await failure(storage.makeFolder('/new')),
        await failure(write(storage, '/new', 'x')), await failure(storage.remove('/closed')), await failure(storage.move('/closed', '/b', { replace: false })))`
    expect(asNobody(script)).toBe(Array.from({ length: 6 }, () => 'forbidden').join(' '))
  })

  it('keeps the group of a file if its owner cannot be kept', () => {
    mkdirSync(`${root}/team`)
    writeFileSync(`${root}/team/a`, 'old', { mode: 0o640 })
    for (const path of [root, `${root}/team`]) chmodSync(path, 0o777)
    chownSync(`${root}/team/a`, 0, TEAM)
    const script = `
      import { createLocalStorage } from '${import.meta.dir}/local.ts'
      import { write } from '${import.meta.dir}/test-samples.ts'
      await write(createLocalStorage('${root}'), '/team/a', 'new', { replace: true })`
    expect(asNobody(script, { group: TEAM })).toBe('')
    expect(statSync(`${root}/team/a`)).toMatchObject({ uid: NOBODY, gid: TEAM, size: 3 })
    expect(statSync(`${root}/team/a`).mode & 0o777).toBe(0o640)
  })

  it('leaves no descriptor open after failures and aborts', async () => {
    await storage.makeFolder(at('/d'))
    await write(storage, at('/d/a'), 'x'.repeat(100_000))
    const deeds: (() => Promise<unknown>)[] = [
      async () => void (await (await storage.open(at('/d/a'))).close()),
      () => read(storage, at('/d/a')),
      () => storage.open(at('/d')),
      () => storage.open(at('/d/none')),
      () => storage.list(at('/d/a')),
      () => storage.stat(at('/d/a/b')),
      () => locate(storage, at('/d/none/x'), { within: ROOT, leaf: 'follow' }),
      () => storage.move(at('/d'), at('/d/e'), { replace: false }),
      () => storage.move(at('/none'), at('/d/e'), { replace: true }),
      () => storage.remove(at('/d')),
      () => storage.space(at('/d/a')),
      () => write(storage, at('/d'), 'x'),
      () => storage.stage('s', { near: ROOT }).copyFrom(at('/d/a')),
      () => storage.stage('s', { near: ROOT }).append(streamOf(new Uint8Array(10)), { signal: AbortSignal.abort() }),
      () => storage.stage('s', { near: ROOT }).append(streamOf(new Uint8Array(10)), { limit: 1 }),
      () => storage.staged(),
      async () => {
        await using file = await storage.open(at('/d/a'))
        const reader = file.stream(0, 100_000).getReader()
        await reader.read()
        await reader.cancel()
      },
    ]
    const before = descriptorsInto(root)
    expect(before).toBeGreaterThan(0)
    for (let round = 0; round < 10; round++) await Promise.all(deeds.map(failureOf))
    await until(() => descriptorsInto(root) === before)
  })

  it('can send a file in a Response after its handler closed it', async () => {
    await write(storage, at('/a'), '0123456789')
    const server = Bun.serve({
      port: 0,
      async fetch() {
        await using file = await storage.open(at('/a'))
        return new Response(file.slice?.(2, 6))
      },
    })
    const before = descriptorsInto(root)
    expect(before).toBeGreaterThan(0)
    for (let i = 0; i < 50; i++) expect(await (await fetch(server.url)).text()).toBe('2345')
    await server.stop(true)
    await until(() => descriptorsInto(root) === before)
  })

  it('lists all names in any order, for several callers at once', async () => {
    for (let i = 0; i < 700; i++) writeFileSync(`${root}/${i}`, '')
    const all = await Promise.all(Array.from({ length: 5 }, () => storage.list(ROOT)))
    for (const columns of all) expect(sortedNames(columns)).toEqual(sortedNames(all[0] ?? columns))
    expect(all[4]?.names.length).toBe(700)
  })

  describe('a watched folder', () => {
    it('reports changed names to each watcher until it closes', async () => {
      mkdirSync(join(root, 'docs'))
      const heard: string[] = []
      const first = await storage.watch(at('/docs'), (name) => heard.push(`first ${name}`))
      const second = await storage.watch(at('/docs'), (name) => heard.push(`second ${name}`))
      const other = await storage.watch(ROOT, (name) => heard.push(`root ${name}`))
      writeFileSync(join(root, 'docs/a'), '')
      await until(() => heard.includes('first a') && heard.includes('second a'))
      first?.close()
      writeFileSync(join(root, 'docs/b'), '')
      await until(() => heard.includes('second b'))
      // The first change may cause more than one event.
      expect(new Set(heard)).toEqual(new Set(['first a', 'second a', 'second b']))
      second?.close()
      other?.close()
    })

    it('is never the private folder, and keeps no descriptor', async () => {
      mkdirSync(join(root, 'docs'))
      const heard: string[] = []
      const before = descriptorsInto(root)
      const watch = await storage.watch(ROOT, (name) => heard.push(name))
      expect(descriptorsInto(root)).toBe(before)
      await storage.stage('one', { near: ROOT }).append(new Uint8Array(1))
      writeFileSync(join(root, 'seen'), '')
      await until(() => heard.includes('seen'))
      expect(new Set(heard)).toEqual(new Set(['seen']))
      watch?.close()
    })
  })
})

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(1)
}

function run(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program}: ${stderr}`)
}

/** Root may do everything, so promises about permissions are tested as another user. */
function asNobody(script: string, { group }: { group?: number } = {}): string {
  const ids = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, group === undefined ? '--clear-groups' : `--groups=${group}`]
  const command = process.getuid?.() === 0 ? ['setpriv', ...ids, ...RUNTIME_COMMAND] : [...RUNTIME_COMMAND]
  const { stdout, stderr } = spawnSync(command[0] ?? '', [...command.slice(1), '-e', script], { encoding: 'utf8', env: { HOME: '/tmp' } })
  return stdout.trim() || stderr
}

async function failureOf(deed: () => Promise<unknown>): Promise<string> {
  return failure(deed())
}

/** The number of descriptors of this process that point into a folder. */
function descriptorsInto(folder: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => pointsInto(`/proc/self/fd/${fd}`, folder)).length
}

function pointsInto(link: string, folder: string): boolean {
  try {
    return readlinkSync(link).startsWith(folder)
  } catch {
    // The descriptor that listed the others.
    return false
  }
}
