import { afterAll, describe, expect, it } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFilePath } from '../../shared/file-path.ts'
import { createLocalStorage } from './local.ts'

const home = mkdtempSync(join(tmpdir(), 'read-now-'))
const storage = createLocalStorage(home)
const now = (path: string) => storage.readNow?.(parseFilePath(path)) ?? null
const textOf = (path: string): string | null => {
  const file = now(path)
  return file && Buffer.from(file.bytes).toString()
}

afterAll(() => rmSync(home, { recursive: true }))
mkdirSync(join(home, 'a'))
writeFileSync(join(home, 'a/file'), 'first')

describe('P2: a file that is read without a wait', () => {
  it('has the bytes of this moment, and the same stat until it changes', () => {
    const before = now('/a/file')?.stat
    expect(textOf('/a/file')).toBe('first')
    expect(now('/a/file')?.stat).toBe(before)
    writeFileSync(join(home, 'a/file'), 'longer text')
    expect(textOf('/a/file')).toBe('longer text')
    expect(now('/a/file')?.stat).not.toEqual(before)
    writeFileSync(join(home, 'other'), 'longer text')
    const identity = now('/a/file')?.stat.identity
    renameSync(join(home, 'other'), join(home, 'a/file'))
    expect(now('/a/file')?.stat.identity).not.toBe(identity)
  })

  it('is that of the place, whatever was read there a moment ago', () => {
    const file = join(home, 'a/placed')
    writeFileSync(file, 'one')
    expect([textOf('/a/placed'), textOf('/a/placed')]).toEqual(['one', 'one'])
    writeFileSync(join(home, 'a/next'), 'two')
    renameSync(join(home, 'a/next'), file)
    expect(textOf('/a/placed')).toBe('two')
    writeFileSync(file, '2nd')
    expect(textOf('/a/placed')).toBe('2nd')
    rmSync(file)
    expect(textOf('/a/placed')).toBeNull()
    symlinkSync('file', file)
    expect(textOf('/a/placed')).toBeNull()
    rmSync(file)
    Bun.spawnSync(['mkfifo', file])
    expect(textOf('/a/placed')).toBeNull()
  })

  it('has other words for a file whose rights have changed, so that it is opened again', () => {
    const file = join(home, 'a/rights')
    writeFileSync(file, 'text')
    const before = now('/a/rights')?.stat
    expect(now('/a/rights')?.stat).toBe(before)
    chmodSync(file, 0o600)
    chmodSync(file, 0o644)
    expect(now('/a/rights')?.stat).not.toBe(before)
  })

  it('is none for links, folders, pipes, long files, private and missing names', () => {
    symlinkSync('a', join(home, 'link'))
    symlinkSync('a/file', join(home, 'leaf'))
    mkdirSync(join(home, '.satchel'), { recursive: true })
    writeFileSync(join(home, '.satchel/x'), 'x')
    writeFileSync(join(home, 'long'), new Uint8Array(64 * 1024 + 1))
    Bun.spawnSync(['mkfifo', join(home, 'pipe')])
    for (const path of ['/link/file', '/leaf', '/a', '/pipe', '/long', '/.satchel/x', '/none', '/'])
      expect([path, now(path)]).toEqual([path, null])
  })
})
