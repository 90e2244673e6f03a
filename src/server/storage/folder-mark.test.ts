import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { folderMark, removeLoneMark } from './folder-mark.ts'
import { openFolder, openRoot } from './open-folder.ts'

const LARGE_BYTES = 64 * 1024 * 1024
const MARK = `m${'x'.repeat(22)}`

let home = ''
const marked = <T>(work: (folder: ReturnType<typeof openFolder>) => T): T => {
  using folder = openFolder(openRoot(home), ['docs'])
  return work(folder)
}
const place = (): string => join(home, 'docs/.satchel')
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mark-'))
  mkdirSync(join(home, 'docs'))
})
afterEach(() => rmSync(home, { recursive: true }))

describe('A12: the marker of a folder', () => {
  it('is created once and never changes', () => {
    expect(marked((folder) => folderMark(folder, { make: false }))).toBe(null)
    const made = marked((folder) => folderMark(folder, { make: true }))
    expect(made).toMatch(/^m[\w-]{22}$/)
    for (const make of [true, false]) expect(marked((folder) => folderMark(folder, { make }))).toBe(made)
  })

  it('is null if something else has its name, which is not followed or read completely', () => {
    const others: Record<string, () => void> = {
      'a pipe': () => void spawnSync('mkfifo', [join(place(), 'mark')]),
      'a link to a mark': () => {
        writeFileSync(join(home, 'elsewhere'), MARK)
        symlinkSync(join(home, 'elsewhere'), join(place(), 'mark'))
      },
      'a folder': () => mkdirSync(join(place(), 'mark')),
      'more than a mark': () => writeFileSync(join(place(), 'mark'), `${MARK}x`),
      'very much more': () => {
        writeFileSync(join(place(), 'mark'), MARK)
        truncateSync(join(place(), 'mark'), LARGE_BYTES)
      },
    }
    for (const [what, make] of Object.entries(others)) {
      mkdirSync(place())
      make()
      const before = bytesRead()
      for (const wanted of [false, true]) expect([what, marked((folder) => folderMark(folder, { make: wanted }))]).toEqual([what, null])
      expect(bytesRead() - before).toBeLessThan(LARGE_BYTES / 2)
      rmSync(place(), { recursive: true })
    }
    symlinkSync(home, place())
    expect(marked((folder) => folderMark(folder, { make: true }))).toBe(null)
  })

  it('does not prevent removing an empty folder, even if incomplete; foreign files do', () => {
    const isRemovable = () => marked((folder) => removeLoneMark(folder))
    marked((folder) => folderMark(folder, { make: true }))
    expect([isRemovable(), existsSync(place())]).toEqual([true, false])
    mkdirSync(place())
    expect([isRemovable(), existsSync(place())]).toEqual([true, false])
    mkdirSync(place())
    writeFileSync(join(place(), 'other'), 'not ours')
    expect([isRemovable(), existsSync(join(place(), 'other'))]).toEqual([false, true])
    rmSync(place(), { recursive: true })
    writeFileSync(join(home, 'docs/a.txt'), 'a')
    mkdirSync(place())
    expect(isRemovable()).toBe(false)
    rmdirSync(place())
  })
})

/** The number of bytes that this process has read so far. */
function bytesRead(): number {
  return Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
}
