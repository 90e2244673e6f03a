import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../shared/file-path.ts'
import { RUNTIME_COMMAND } from '../entries/runtime.ts'
import type { Kept, KeptArea } from './storage.ts'

const NOBODY = 65534
const kept = (id: string, area: KeptArea = 'trash', volume = ROOT): Kept => ({ area, volume, id })

/** Root may do everything, so promises about permissions are tested as another user. */
describe('kept nodes of somebody who may not do everything', () => {
  let top: string
  let root: string
  beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), 'kept-'))
    root = `${top}/root`
    mkdirSync(root)
    writeFileSync(`${root}/a`, 'a')
    for (const path of [top, root]) chmodSync(path, 0o777)
  })
  afterEach(() => {
    rmSync(top, { recursive: true })
  })

  it('keeps nothing of a folder that it must not change, and changes nothing', () => {
    mkdirSync(`${root}/closed`, { mode: 0o755 })
    writeFileSync(`${root}/closed/file`, '')
    chownSync(root, NOBODY, NOBODY)
    const script = `${asSaid(root)}
      console.log(await failure(storage.keep('/closed/file', kept('1'))), await failure(storage.keep('/closed', kept('2'))),
        JSON.stringify(await storage.keptNodes('trash')))`
    expect(asNobody(script)).toBe('forbidden forbidden []')
    expect(readdirSync(`${root}/closed`)).toEqual(['file'])
    expect(readdirSync(`${root}/.satchel/trash`)).toEqual([])
  })

  it('removes an empty folder that it must not write to for good, as it cannot be moved', () => {
    mkdirSync(`${root}/empty`, { mode: 0o555 })
    chownSync(root, NOBODY, NOBODY)
    chownSync(`${root}/empty`, NOBODY, NOBODY)
    expect(asNobody(`${asSaid(root)} console.log(await storage.keepingVolume('/empty'), await storage.keepingVolume('/a'))`)).toBe('null /')
  })

  it('keeps nothing where the uppermost folder takes no private one', () => {
    chmodSync(root, 0o755)
    mkdirSync(`${root}/own`)
    chownSync(`${root}/own`, NOBODY, NOBODY)
    writeFileSync(`${root}/own/file`, '')
    const script = `${asSaid(root)}
      console.log(await storage.keepingVolume('/own/file'), await failure(storage.keep('/own/file', kept('1'))))`
    expect(asNobody(script)).toBe('null forbidden')
    expect(readdirSync(`${root}/own`)).toEqual(['file'])
  })

  it('drops folders that their owner has closed', () => {
    mkdirSync(`${root}/mine/closed/deep`, { recursive: true })
    for (const file of ['mine/a', 'mine/closed/b', 'mine/closed/deep/c']) writeFileSync(`${root}/${file}`, '')
    run('chown', '-R', `${NOBODY}:${NOBODY}`, `${root}/mine`)
    chownSync(root, NOBODY, NOBODY)
    for (const [folder, mode] of [
      ['mine/closed/deep', 0o000],
      ['mine/closed', 0o555],
    ] as const)
      chmodSync(`${root}/${folder}`, mode)
    const script = `${asSaid(root)} await storage.keep('/mine', kept('1')); console.log(await failure(storage.dropKept(kept('1'))))`
    expect(asNobody(script)).toBe('none')
    expect(readdirSync(`${root}/.satchel/trash`)).toEqual([])
  })

  it('drops everything but what it cannot, and says why', () => {
    mkdirSync(`${root}/mine/theirs`, { recursive: true })
    for (const file of ['mine/a', 'mine/theirs/b', 'mine/z']) writeFileSync(`${root}/${file}`, '')
    for (const path of [root, `${root}/mine`]) chownSync(path, NOBODY, NOBODY)
    const script = `${asSaid(root)} await storage.keep('/mine', kept('1')); console.log(await failure(storage.dropKept(kept('1'))))`
    expect(asNobody(script)).toBe('forbidden')
    const left = readdirSync(`${root}/.satchel/trash`, { recursive: true }).map(String)
    expect(left.filter((name) => /\/[abz]$/.test(name)).map((name) => name.split('/').at(-1))).toEqual(['b'])
  })

  it('keeps the version of somebody else’s file, which gets no second name from us', () => {
    writeFileSync(`${root}/theirs`, 'old', { mode: 0o644 })
    chownSync(root, NOBODY, NOBODY)
    const script = `${asSaid(root)}
      await storage.stage('s', { near: '/' }).commit('/theirs', { replace: true, keep: { ...kept('1'), area: 'versions' } })
      console.log(JSON.stringify(await storage.keptNodes('versions')))`
    expect(asNobody(script)).toBe(JSON.stringify([kept('1', 'versions')]))
    expect(readFileSync(`${root}/.satchel/versions/1/theirs`, 'utf8')).toBe('old')
    expect(statSync(`${root}/theirs`).size).toBe(0)
  })
})

/** The beginning of a program: a storage, as another user. */
function asSaid(root: string): string {
  return `
    import { createLocalStorage } from '${import.meta.dir}/local.ts'
    import { failure } from '${import.meta.dir}/test-samples.ts'
    const storage = createLocalStorage('${root}')
    const kept = (id) => ({ area: 'trash', volume: '/', id });`
}

function asNobody(script: string): string {
  if (process.getuid?.() !== 0) throw new Error('this test is about rights and needs to be root')
  const command = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', ...RUNTIME_COMMAND]
  const { stdout, stderr } = spawnSync(command[0] ?? '', [...command.slice(1), '-e', `${script}; process.exit(0)`], {
    encoding: 'utf8',
    env: { HOME: '/tmp' },
  })
  return stdout.trim() || stderr
}

function run(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program}: ${stderr}`)
}
