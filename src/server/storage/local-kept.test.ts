import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { createLocalStorage } from './local.ts'
import type { Kept, KeptArea, Storage } from './storage.ts'
import { failure, sortedNames, write } from './test-samples.ts'

const STAY = { replace: false }
const kept = (id: string, area: KeptArea = 'trash', volume = ROOT): Kept => ({ area, volume, id })

describe('kept nodes on a real disk', () => {
  let top: string
  let root: string
  let outside: string
  let storage: Storage
  beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), 'kept-'))
    root = `${top}/root`
    outside = `${top}/outside`
    mkdirSync(`${root}/d/in`, { recursive: true })
    mkdirSync(`${outside}/1/a`, { recursive: true })
    for (const file of [`${outside}/secret`, `${outside}/1/secret`, `${outside}/1/a/secret`]) writeFileSync(file, 'secret')
    writeFileSync(`${root}/a`, 'a')
    writeFileSync(`${root}/d/in/b`, 'b')
    storage = createLocalStorage(root)
  })
  afterEach(() => {
    rmSync(top, { recursive: true })
  })

  const untouched = (): void => {
    expect(readdirSync(outside, { recursive: true }).map(String).sort()).toEqual(['1', '1/a', '1/a/secret', '1/secret', 'secret'])
  }

  it('keeps them for the server’s eyes only', async () => {
    await storage.keep(at('/a'), kept('1'))
    expect(readFileSync(`${root}/.satchel/trash/1/a`, 'utf8')).toBe('a')
    for (const folder of ['', '/trash', '/trash/1']) expect(statSync(`${root}/.satchel${folder}`).mode & 0o777).toBe(0o700)
  })

  it('never leaves the root through a link in place of one of its folders (I2)', async () => {
    for (const planted of ['.satchel', '.satchel/trash', '.satchel/trash/1', '.satchel/trash/1/a'] as const) {
      rmSync(`${root}/.satchel`, { recursive: true, force: true })
      mkdirSync(dirname(`${root}/${planted}`), { recursive: true })
      if (planted === '.satchel') mkdirSync(`${outside}/trash`)
      symlinkSync(outside, `${root}/${planted}`)
      // Following it leads there.
      expect(readFileSync(`${root}/${planted}/secret`, 'utf8')).toBe('secret')
      for (const area of ['trash', 'versions'] as const) {
        expect(await failure(storage.listKept(kept('1', area), ROOT))).toBe('not-found')
        for (const path of ['/', '/secret', '/a/secret', '/1/secret'])
          expect(await failure(storage.openKept(kept('1', area), at(path)))).toBe('not-found')
      }
      if (planted !== '.satchel/trash/1/a') {
        expect(await storage.statKept(kept('1'))).toBeNull()
        expect(await failure(storage.restoreKept(kept('1'), at('/stolen'), STAY))).toBe('not-found')
      }
      const isUsable = planted.startsWith('.satchel/trash/1')
      expect(await storage.keepingVolume(at('/a'))).toBe(isUsable ? ROOT : null)
      if (!isUsable) expect(await failure(storage.keep(at('/a'), kept('2')))).toBe('not-found')
      expect(await storage.keptNodes('trash')).toEqual(planted === '.satchel/trash/1/a' ? [kept('1')] : [])
      await storage.dropKept(kept('1'))
      rmSync(`${outside}/trash`, { recursive: true, force: true })
      untouched()
    }
    expect(readFileSync(`${root}/a`, 'utf8')).toBe('a')
  })

  it('keeps no version behind a link in place of the folder of versions', async () => {
    mkdirSync(`${root}/.satchel`)
    symlinkSync(outside, `${root}/.satchel/versions`)
    const staged = storage.stage('s', { near: ROOT })
    await staged.append(new Uint8Array(3))
    expect(await failure(staged.commit(at('/a'), { replace: true, keep: kept('2', 'versions') }))).toBe('not-found')
    expect(readFileSync(`${root}/a`, 'utf8')).toBe('a')
    untouched()
  })

  it('drops links in a kept folder, not what they lead to', async () => {
    symlinkSync(outside, `${root}/d/out`)
    symlinkSync(outside, `${root}/d/in/out`)
    symlinkSync('../in', `${root}/d/in/up`)
    await storage.keep(at('/d'), kept('1'))
    expect(await failure(storage.listKept(kept('1'), at('/out')))).toBe('not-found')
    expect(await failure(storage.openKept(kept('1'), at('/out/secret')))).toBe('not-found')
    await storage.dropKept(kept('1'))
    expect(readdirSync(`${root}/.satchel/trash`)).toEqual([])
    untouched()
  })

  it('keeps and restores pipes, which it never opens', async () => {
    run('mkfifo', `${root}/pipe`)
    await storage.keep(at('/pipe'), kept('1'))
    expect(await storage.statKept(kept('1'))).toMatchObject({ kind: 'special', name: 'pipe' })
    expect(await failure(storage.openKept(kept('1'), ROOT))).toBe('not-found')
    await storage.restoreKept(kept('1'), at('/pipe'), STAY)
    await storage.keep(at('/pipe'), kept('2'))
    await storage.dropKept(kept('2'))
    expect(readdirSync(`${root}/.satchel/trash`)).toEqual([])
  })

  it('hides the marks of kept folders, and drops them', async () => {
    await storage.folderMark(at('/d'), { make: true })
    await storage.keep(at('/d'), kept('1'))
    expect(existsSync(`${root}/.satchel/trash/1/d/.satchel/mark`)).toBe(true)
    expect(sortedNames(await storage.listKept(kept('1'), ROOT))).toEqual(['in'])
    await storage.dropKept(kept('1'))
    expect(readdirSync(`${root}/.satchel/trash`)).toEqual([])
  })

  it('goes on dropping where it was stopped, and nobody restores the half', async () => {
    for (let index = 0; index < 3000; index++) {
      if (index % 100 === 0) mkdirSync(`${root}/d/${index}`)
      writeFileSync(`${root}/d/${index - (index % 100)}/${index}.txt`, '')
    }
    await storage.keep(at('/d'), kept('1'))
    const stop = new AbortController()
    const seen: number[] = []
    const onProgress = (count: number): void => {
      seen.push(count)
      stop.abort(new Error('stopped'))
    }
    const outcome = await failure(storage.dropKept(kept('1'), { signal: stop.signal, onProgress }))
    // A fast disk is done within one step.
    if (outcome !== 'none') {
      expect(outcome).toContain('stopped')
      expect(await storage.statKept(kept('1'))).toBeNull()
      expect(await failure(storage.restoreKept(kept('1'), at('/d'), STAY))).toBe('not-found')
      expect(await failure(storage.keep(at('/a'), kept('1')))).toBe('already-exists')
      expect(await storage.keptNodes('trash')).toEqual([kept('1')])
    }
    await storage.dropKept(kept('1'))
    expect(await storage.keptNodes('trash')).toEqual([])
    expect(readdirSync(`${root}/.satchel/trash`)).toEqual([])
  })

  it('drops what somebody else has removed in part', async () => {
    await storage.keep(at('/d'), kept('1'))
    rmSync(`${root}/.satchel/trash/1/d`, { recursive: true })
    expect(await storage.statKept(kept('1'))).toBeNull()
    await storage.dropKept(kept('1'))
    expect(readdirSync(`${root}/.satchel/trash`)).toEqual([])
  })

  it('tells of empty folders only when nobody is about to fill them', async () => {
    mkdirSync(`${root}/.satchel/trash/young`, { recursive: true })
    mkdirSync(`${root}/.satchel/trash/old`)
    utimesSync(`${root}/.satchel/trash/old`, 1, 1)
    writeFileSync(`${root}/.satchel/trash/file`, '')
    expect(await storage.keptNodes('trash')).toEqual([kept('old')])
    expect(await storage.statKept(kept('old'))).toBeNull()
    await storage.dropKept(kept('old'))
    expect(readdirSync(`${root}/.satchel/trash`).sort()).toEqual(['file', 'young'])
  })

  it('drops a tree that is deeper than any path is long', async () => {
    let path = ROOT
    for (let depth = 0; depth < 40; depth++) {
      path = at(`${path === ROOT ? '' : path}/${'d'.repeat(200)}`)
      await storage.makeFolder(path)
      await write(storage, at(`${path}/file`), 'x')
    }
    await storage.keep(at(`/${'d'.repeat(200)}`), kept('1'))
    let removed = 0
    await storage.dropKept(kept('1'), { onProgress: (count) => (removed = count) })
    expect(removed).toBe(80)
    expect(readdirSync(`${root}/.satchel/trash`)).toEqual([])
  })

  it('keeps many files in one step, and holds up nobody while it drops them', async () => {
    for (let index = 0; index < 20_000; index++) {
      if (index % 5000 === 0) mkdirSync(`${root}/d/${index}`)
      writeFileSync(`${root}/d/${index - (index % 5000)}/${index}`, '')
    }
    const begin = performance.now()
    await storage.keep(at('/d'), kept('1'))
    expect(performance.now() - begin).toBeLessThan(1000)
    let last = performance.now()
    let longest = 0
    const ticking = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 1)
    await storage.dropKept(kept('1'))
    clearInterval(ticking)
    expect(longest).toBeLessThan(250)
    expect(readdirSync(`${root}/.satchel/trash`)).toEqual([])
  })

  it('leaves no descriptor open', async () => {
    const before = descriptorsInto(top)
    for (let round = 0; round < 5; round++) {
      await Promise.all([failure(storage.keep(at('/none'), kept('x'))), storage.keepingVolume(at('/d'))])
      await storage.keep(at('/d'), kept('1'))
      await failure(storage.keep(at('/a'), kept('1')))
      await storage.listKept(kept('1'), at('/in'))
      await (await storage.openKept(kept('1'), at('/in/b'))).close()
      await failure(storage.openKept(kept('1'), at('/none')))
      await failure(storage.restoreKept(kept('1'), at('/a'), STAY))
      await storage.restoreKept(kept('1'), at('/d'), STAY)
      await storage.keep(at('/a'), kept('2'))
      await storage.dropKept(kept('2'))
      await write(storage, at('/a'), 'x')
      await storage.stage('s', { near: ROOT }).commit(at('/a'), { replace: true, keep: kept(`${round}`, 'versions') })
      await storage.keptNodes('trash')
    }
    while (descriptorsInto(top) !== before) await Bun.sleep(1)
  })
})

function run(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program}: ${stderr}`)
}

function descriptorsInto(folder: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
    } catch {
      // The descriptor that listed the others.
      return false
    }
  }).length
}
