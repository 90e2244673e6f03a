import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { createLocalStorage } from './local.ts'
import { failure, read, streamOf, write } from './test-samples.ts'
import type { Storage } from './storage.ts'

/** These mount, so they need root (in CI: a container with SYS_ADMIN); without, they fail and say so. */
describe('local storage with other file systems in its tree', () => {
  let root: string
  let storage: Storage
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'storage-'))
    mkdirSync(`${root}/a disk/`)
    mount('-t', 'tmpfs', '-o', 'size=1m', 'none', `${root}/a disk`)
    mkdirSync(`${root}/a disk/in`)
    storage = createLocalStorage(root)
  })
  afterEach(() => {
    spawnSync('umount', ['-l', `${root}/a disk`])
    rmSync(root, { recursive: true })
  })

  it('stages bytes on the target file system, and finds them after a restart', async () => {
    await storage.stage('one', { near: at('/a disk/in/not/there/yet/x') }).append(new Uint8Array(3))
    await storage.stage('two', { near: at('/x') }).append(new Uint8Array(3))
    expect(existsSync(`${root}/a disk/.satchel/staging/one`)).toBe(true)
    const restarted = createLocalStorage(root)
    expect((await restarted.staged()).sort()).toEqual(['one', 'two'])
    expect(await restarted.stage('one', { near: ROOT }).size()).toBe(3)
    await restarted.stage('one', { near: ROOT }).discard()
    expect(await restarted.staged()).toEqual(['two'])
    expect([...(await storage.list(at('/a disk'))).names]).toEqual(['in'])
  })

  it('also publishes if the target is on another file system', async () => {
    const staged = storage.stage('one', { near: at('/x') })
    await staged.append(new TextEncoder().encode('far'))
    await staged.commit(at('/a disk/in/x'), { replace: false })
    expect(await read(storage, at('/a disk/in/x'))).toBe('far')
    expect(await storage.staged()).toEqual([])
  })

  it('reports that a move would cross file systems, and does nothing', async () => {
    await write(storage, at('/x'), 'x')
    await storage.makeFolder(at('/folder'))
    for (const replace of [true, false]) {
      expect(await storage.move(at('/x'), at('/a disk/x'), { replace })).toBe(false)
      expect(await storage.move(at('/folder'), at('/a disk/folder'), { replace })).toBe(false)
    }
    expect(await read(storage, at('/x'))).toBe('x')
    expect([...(await storage.list(at('/a disk'))).names]).toEqual(['in'])
    expect(await failure(storage.remove(at('/a disk')))).toBe('busy')
  })

  it('is full when the disk is full, keeps staged bytes, and continues when there is space (ENOSPC)', async () => {
    writeFileSync(`${root}/a disk/ballast`, new Uint8Array(300 * 1024))
    const staged = storage.stage('big', { near: at('/a disk/big') })
    const chunks = Array.from({ length: 32 }, (_, i) => new Uint8Array(64 * 1024).fill(i))
    expect(await failure(staged.append(streamOf(...chunks)))).toBe('storage-full')
    const kept = await staged.size()
    expect(kept).toBeGreaterThan(600 * 1024)
    expect(kept).toBeLessThan(1024 * 1024)
    rmSync(`${root}/a disk/ballast`)
    expect(await staged.append(new Uint8Array(100))).toBe(kept + 100)
    await staged.commit(at('/a disk/big'), { replace: false })
    await using file = await storage.open(at('/a disk/big'))
    const bytes = await file.peek(0, kept)
    expect(bytes.every((byte, index) => byte === Math.floor(index / 65536))).toBe(true)
    expect(await failure(storage.stage('copy', { near: at('/a disk/x') }).copyFrom(at('/a disk/big')))).toBe('storage-full')
  })

  it('forbids writing on a read-only disk', async () => {
    mount('-o', 'remount,ro', `${root}/a disk`)
    expect(await failure(write(storage, at('/a disk/x'), 'x'))).toBe('forbidden')
    expect(await failure(storage.makeFolder(at('/a disk/y')))).toBe('forbidden')
    expect(await failure(storage.remove(at('/a disk/in')))).toBe('forbidden')
  })
})

function mount(...args: string[]): void {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`this test mounts a small disk and needs the right to: ${stderr}`)
}
