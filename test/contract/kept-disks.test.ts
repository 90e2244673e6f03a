import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mountSlowDisk } from '../../scripts/slow-disk/slow-disk.ts'
import { parseFilePath as at, ROOT } from '../../src/shared/file-path.ts'
import { createLocalStorage } from '../../src/server/storage/local.ts'
import type { Kept, Storage } from '../../src/server/storage/storage.ts'
import { failure, read, write } from '../../src/server/storage/test-samples.ts'
import { mountDisk } from './disk.ts'

const DISK = at('/disk')
const kept = (id: string, area: Kept['area'] = 'trash'): Kept => ({ area, volume: DISK, id })

/** Disks that have neither hard links nor an exchange of names. They are mounted, so this needs root, like the tests of faults.test.ts. */
describe.each(['exfat', 'in user space'])('kept nodes on a disk with less: %s', (kind) => {
  let home: string
  let root: string
  let storage: Storage
  let unmount: () => unknown
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'satchel-kept-'))
    root = join(home, 'root')
    mkdirSync(root)
    if (kind === 'exfat') {
      const disk = mountDisk('exfat', { home, at: join(root, 'disk') })
      unmount = () => disk[Symbol.dispose]()
    } else {
      const disk = await mountSlowDisk(join(root, 'disk'))
      unmount = () => disk[Symbol.asyncDispose]()
    }
    storage = createLocalStorage(root)
  })
  afterEach(async () => {
    await unmount()
    rmSync(home, { recursive: true })
  })

  it('are kept, restored and dropped as everywhere', async () => {
    await storage.makeFolder(at('/disk/d'))
    await storage.makeFolder(at('/disk/d/in'))
    await write(storage, at('/disk/d/in/a'), 'a')
    expect(await storage.keepingVolume(at('/disk/d'))).toBe(DISK)
    expect(await storage.keep(at('/disk/d'), kept('1'))).toMatchObject({ kind: 'folder' })
    expect([...(await storage.listKept(kept('1'), at('/in'))).names]).toEqual(['a'])
    await storage.makeFolder(at('/disk/d'))
    expect(await failure(storage.restoreKept(kept('1'), at('/disk/d'), { replace: false }))).toBe('already-exists')
    expect(await storage.restoreKept(kept('1'), at('/a'), { replace: false })).toBe(false)
    await storage.restoreKept(kept('1'), at('/disk/e'), { replace: false })
    expect(await read(storage, at('/disk/e/in/a'))).toBe('a')
    await storage.keep(at('/disk/e'), kept('2'))
    expect(await storage.keptNodes('trash')).toEqual([kept('2')])
    await storage.dropKept(kept('2'))
    expect(readdirSync(`${root}/disk/.satchel/trash`)).toEqual([])
  }, 300_000)

  it('are no versions: a file is replaced as ever', async () => {
    await write(storage, at('/disk/a'), 'old')
    const staged = storage.stage('s', { near: at('/disk/a') })
    await staged.append(new TextEncoder().encode('new'))
    await staged.commit(at('/disk/a'), { replace: true, keep: kept('1', 'versions') })
    expect(await read(storage, at('/disk/a'))).toBe('new')
    expect(await storage.statKept(kept('1', 'versions'))).toBeNull()
    expect(await storage.staged()).toEqual([])
    expect(readdirSync(`${root}/disk/.satchel/versions`)).toEqual([])
  }, 300_000)

  if (kind === 'exfat')
    it('are found and restored where the disk ignores case', async () => {
      await write(storage, at('/disk/Name'), 'x')
      expect(await storage.keepingVolume(at('/disk/NAME'))).toBe(DISK)
      await storage.keep(at('/disk/NAME'), kept('1'))
      expect([...(await storage.list(DISK)).names]).toEqual([])
      await write(storage, at('/disk/name'), 'y')
      expect(await failure(storage.restoreKept(kept('1'), at('/disk/NAME'), { replace: false }))).toBe('already-exists')
      await storage.restoreKept(kept('1'), at('/disk/NAME'), { replace: true })
      expect([...(await storage.list(DISK)).names]).toHaveLength(1)
      expect(await read(storage, at('/disk/name'))).toBe('x')
      expect(await storage.keepingVolume(ROOT)).toBeNull()
    }, 300_000)
})
