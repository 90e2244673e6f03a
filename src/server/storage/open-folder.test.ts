import { closeSync, fstatSync, lstatSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import { libc } from './libc.ts'
import { statAt, statOpen } from './nodes.ts'
import { openFolder, openOneByOne, openRoot } from './open-folder.ts'
import { OPEN_FOLDER, OPEN_NODE } from './proc-paths.ts'

const top = mkdtempSync(join(tmpdir(), 'open-folder-'))
mkdirSync(join(top, 'a/b/c'), { recursive: true })
mkdirSync(join(top, 'outside'))
writeFileSync(join(top, 'a/file'), 'x')
symlinkSync('b', join(top, 'a/link'))
symlinkSync(join(top, 'outside'), join(top, 'a/out'))
const root = openRoot(join(top, 'a'))

describe.each([
  ['in one call', openFolder],
  ['one segment after the other', openOneByOne],
])('opening a folder %s', (_, open) => {
  it('opens the right folder', () => {
    for (const segments of [[], ['b'], ['b', 'c']]) {
      using opened = open(root, segments)
      expect(fstatSync(opened.fd).ino).toBe(lstatSync(join(top, 'a', ...segments)).ino)
    }
  })

  it('follows no link at any position, and enters no file', () => {
    for (const segments of [['link'], ['link', 'c'], ['out'], ['b', '..', 'link'], ['file'], ['file', 'c']])
      expect(() => open(root, segments)).toThrow('ENOTDIR')
    expect(() => open(root, ['none', 'c'])).toThrow('ENOENT')
  })
})

describe('opening in one call', () => {
  const open = (fd: number, path: string, stay = false): number => libc()?.openBeneath(fd, path, { flags: OPEN_NODE, stay }) ?? 0

  it('never leaves the folder', () => {
    for (const path of ['..', 'b/../..', '/etc', join(top, 'outside')]) expect(open(root.fd, path)).toBe(-18)
    for (const path of ['out/x', 'link/c']) expect(open(root.fd, path)).toBe(-40)
    expect(open(openRoot('/proc/self').fd, 'root/etc')).toBe(-40)
  })

  it('stays on its mount if requested', () => {
    const slash = openRoot('/')
    expect(open(slash.fd, 'proc/self', true)).toBe(-18)
    const entered = open(slash.fd, 'proc/version')
    expect(entered).toBeGreaterThan(0)
    closeSync(entered)
  })

  it('reports the error, repeatedly', () => {
    for (let i = 0; i < 20_000; i++) {
      if (open(root.fd, `none-${i}`) !== -2) throw new Error(`the error of call ${i} was lost`)
      if ((libc()?.openBeneath(root.fd, 'file', { flags: OPEN_FOLDER, stay: false }) ?? 0) !== -20) throw new Error('ENOTDIR was lost')
    }
  })
})

it('the kernel and the runtime report the same stat', () => {
  for (const path of [top, join(top, 'a/file'), join(top, 'a/link'), '/proc', '/dev/null', '/dev/shm', '/']) {
    const stats = lstatSync(path, { bigint: true })
    const look = libc()?.look(root.fd, path)
    expect([look?.device, look?.inode, look?.birth]).toEqual([stats.dev, stats.ino, stats.birthtimeNs])
  }
  expect(statOpen(root.fd).identity).toBe(statAt(openRoot(top), 'a')?.identity ?? '')
})
