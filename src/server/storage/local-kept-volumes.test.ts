import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { createLocalStorage } from './local.ts'
import type { Kept, KeptArea, Storage } from './storage.ts'
import { failure, read, sortedNames } from './test-samples.ts'

const STAY = { replace: false }
const kept = (id: string, area: KeptArea = 'trash', volume = ROOT): Kept => ({ area, volume, id })

/** These mount, so they need root (in CI: a container with SYS_ADMIN); without, they fail and say so. */
describe('kept nodes with other file systems in the tree', () => {
  let top: string
  let root: string
  let storage: Storage
  beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), 'kept-'))
    root = `${top}/root`
    mkdirSync(`${root}/d/in`, { recursive: true })
    writeFileSync(`${root}/a`, 'a')
    writeFileSync(`${root}/d/in/b`, 'b')
    for (const disk of ['disk', 'd/mounted']) {
      mkdirSync(`${root}/${disk}`)
      run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'none', `${root}/${disk}`)
      writeFileSync(`${root}/${disk}/file`, disk)
    }
    storage = createLocalStorage(root)
  })
  afterEach(() => {
    for (const mount of mountsIn(top)) spawnSync('umount', ['-l', mount])
    rmSync(top, { recursive: true })
  })

  it('keeps each node on its own', async () => {
    expect(await storage.keepingVolume(at('/disk/file'))).toBe(at('/disk'))
    const there = kept('1', 'trash', at('/disk'))
    expect(await storage.keep(at('/disk/file'), kept('0'))).toBeNull()
    expect(await storage.keep(at('/a'), kept('0', 'trash', at('/disk')))).toBeNull()
    expect(await storage.keep(at('/disk/file'), there)).toMatchObject({ kind: 'file' })
    expect(existsSync(`${root}/disk/.satchel/trash/1/file`)).toBe(true)
    await storage.keep(at('/a'), kept('2'))
    const restarted = createLocalStorage(root)
    expect((await restarted.keptNodes('trash')).map(({ id }) => id).sort()).toEqual(['1', '2'])
    expect(await restarted.restoreKept(there, at('/file'), STAY)).toBe(false)
    expect(await restarted.restoreKept(kept('2'), at('/disk/a'), STAY)).toBe(false)
    expect(await restarted.restoreKept(there, at('/disk/again'), STAY)).toBe(true)
    expect(await read(restarted, at('/disk/again'))).toBe('disk')
  })

  it('says that a disk is away, whose kept nodes are back with it', async () => {
    const there = kept('1', 'trash', at('/disk'))
    run('mount', '-t', 'tmpfs', 'none', `${root}/disk`)
    writeFileSync(`${root}/disk/file`, 'upper')
    await storage.keep(at('/disk/file'), there)
    run('mount', '--move', `${root}/disk`, mkdtempSync(join(top, 'elsewhere-')))
    run('umount', `${root}/disk`)
    const calls = [() => storage.statKept(there), () => storage.dropKept(there), () => storage.restoreKept(there, at('/disk/file'), STAY)]
    for (const call of calls) expect(await failure(call())).toBe('storage-busy')
    run('mount', '--move', mountsIn(top).find((mount) => mount.includes('elsewhere')) ?? '', `${root}/disk`)
    expect(await storage.statKept(there)).toMatchObject({ name: 'file' })
  })

  it('keeps neither a mount point nor what has one below', async () => {
    for (const path of ['/disk', '/d', '/d/mounted']) {
      expect(await storage.keepingVolume(at(path))).toBeNull()
      expect(await failure(storage.keep(at(path), kept('1')))).toBe('busy')
    }
    expect(readFileSync(`${root}/d/mounted/file`, 'utf8')).toBe('d/mounted')
  })

  it('never drops what is mounted below, should it have come along', async () => {
    const unaware = createLocalStorage(root, { mounts: () => [{ id: '1', path: ROOT, isLocal: true }] })
    await unaware.keep(at('/d'), kept('1'))
    expect(await failure(unaware.dropKept(kept('1')))).toBe('busy')
    const [mounted = ''] = mountsIn(`${root}/.satchel`)
    expect(readFileSync(`${mounted}/file`, 'utf8')).toBe('d/mounted')
    run('umount', mounted)
    await unaware.dropKept(kept('1'))
    expect(readdirSync(`${root}/.satchel/trash`)).toEqual([])
  })

  it('keeps by the mount that a path goes through, also of one file system at two places', async () => {
    mkdirSync(`${root}/bound`)
    run('mount', '--bind', `${root}/d`, `${root}/bound`)
    storage = createLocalStorage(root)
    expect(await storage.keepingVolume(at('/bound/in'))).toBe(at('/bound'))
    expect(await storage.keep(at('/bound/in'), kept('0'))).toBeNull()
    await storage.keep(at('/bound/in'), kept('1', 'trash', at('/bound')))
    expect(sortedNames(await storage.list(at('/d')))).toEqual(['mounted'])
    expect(await storage.restoreKept(kept('1', 'trash', at('/bound')), at('/d/in'), STAY)).toBe(false)
    await storage.restoreKept(kept('1', 'trash', at('/bound')), at('/bound/in'), STAY)
    expect(await read(storage, at('/d/in/b'))).toBe('b')
  })

  it('keeps nothing on a read-only disk', async () => {
    run('mount', '-o', 'remount,ro', `${root}/disk`)
    expect(await storage.keepingVolume(at('/disk/file'))).toBeNull()
    expect(await failure(storage.keep(at('/disk/file'), kept('1', 'trash', at('/disk'))))).toBe('forbidden')
  })

  it('says that a folder of a lower layer cannot be renamed, and does nothing', async () => {
    for (const folder of ['lower/folder', 'upper', 'work', 'root/layers']) mkdirSync(`${top}/${folder}`, { recursive: true })
    for (const file of ['lower/folder/file', 'lower/file']) writeFileSync(`${top}/${file}`, 'below')
    const layers = `lowerdir=${top}/lower,upperdir=${top}/upper,workdir=${top}/work,redirect_dir=off`
    run('mount', '-t', 'overlay', '-o', layers, 'none', `${root}/layers`)
    storage = createLocalStorage(root)
    const there = (id: string, area: KeptArea = 'trash'): Kept => kept(id, area, at('/layers'))
    expect(await storage.keep(at('/layers/folder'), there('1'))).toBeNull()
    expect(readdirSync(`${root}/layers/.satchel/trash`)).toEqual([])
    expect(await storage.keep(at('/layers/file'), there('1'))).toMatchObject({ kind: 'file' })
    await storage.restoreKept(there('1'), at('/layers/file'), STAY)
    await storage.stage('s', { near: at('/layers/file') }).commit(at('/layers/file'), { replace: true, keep: there('2', 'versions') })
    expect(await storage.statKept(there('2', 'versions'))).toMatchObject({ name: 'file', size: 5 })
  })

  it('replaces a file and keeps nothing where the version would be on another disk', async () => {
    await storage.stage('s', { near: at('/a') }).commit(at('/a'), { replace: true, keep: kept('1', 'versions', at('/disk')) })
    expect(lstatSync(`${root}/a`).size).toBe(0)
    expect(await storage.keptNodes('versions')).toEqual([])
  })
})

function run(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program}: ${stderr}`)
}

/** The deepest first. */
function mountsIn(folder: string): string[] {
  const points = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
  return points.filter((point) => point.startsWith(folder)).toReversed()
}
