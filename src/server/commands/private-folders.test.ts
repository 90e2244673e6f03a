import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FilePath, parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { findPrivateFolders, type PrivateUse } from './private-folders.ts'

describe('the private folders in a scope', () => {
  let home: string
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'private-'))
  })
  afterEach(() => rmSync(home, { recursive: true }))

  const known = (...paths: { path: FilePath; isUsed?: boolean; isVolume?: boolean }[]): PrivateUse => ({
    privatePlaces: async () => paths.map((place) => ({ isVolume: true, isUsed: false, isLocal: true, ...place })),
    onPrivateUse: () => undefined,
  })
  const make = (path: string): void => void mkdirSync(join(home, path), { recursive: true })

  it('are made where the storage uses them, and on all mounts only if asked', async () => {
    for (const path of ['scope/used', 'scope/unused', 'scope/shown']) make(path)
    const use = known({ path: at('/s/used'), isUsed: true }, { path: at('/s/unused') }, { path: at('/s/shown'), isVolume: false })
    const options = { use, scope: at('/s'), folder: join(home, 'scope') }
    expect((await findPrivateFolders({ ...options, all: false })).masked).toEqual(['/used/.satchel'])
    const own = await findPrivateFolders({ ...options, all: true })
    expect(own.masked.toSorted()).toEqual(['/unused/.satchel', '/used/.satchel'])
    expect(['/s/used', '/s/shown', '/elsewhere'].map((path) => own.covers(at(path)))).toEqual([true, false, true])
  })

  it('have absolute paths if the whole machine is served', async () => {
    make('disk/.satchel')
    const own = await findPrivateFolders({ use: known({ path: at(`${home}/disk`) }), scope: ROOT, folder: '/', all: false })
    expect(own.masked.filter((path) => path.startsWith(home))).toEqual([`${home}/disk/.satchel`])
  })

  it('are complete until one appears or is replaced', async () => {
    make('new')
    make('old/.satchel')
    const use = known({ path: at('/new') }, { path: at('/old') })
    const options = { use, scope: ROOT, folder: home, all: false }
    const first = await findPrivateFolders(options)
    expect(await first.isComplete()).toBe(true)
    make('new/.satchel')
    expect(await first.isComplete()).toBe(false)
    const second = await findPrivateFolders(options)
    expect(await second.isComplete()).toBe(true)
    renameSync(join(home, 'old/.satchel'), join(home, 'gone'))
    expect(await second.isComplete()).toBe(true)
    make('old/.satchel')
    expect(await second.isComplete()).toBe(false)
  })

  it('are masked with the folder that holds them if there are hundreds of snapshots', async () => {
    const snapshots = Array.from({ length: 300 }, (_, n) => `/.snapshots/${n}/snapshot`)
    for (const path of [...snapshots, '/sub']) make(`${path}/.satchel`)
    const places = (all: readonly string[]) => all.map((path) => ({ path: at(path) }))
    const sub = { path: at('/sub'), isUsed: true }
    const options = { scope: ROOT, folder: home, all: false }
    const own = await findPrivateFolders({ ...options, use: known(...places(snapshots), sub) })
    expect(own.masked).toEqual(['/sub/.satchel', '/.snapshots'])
    expect([own.covers(at('/.snapshots/7/snapshot')), own.covers(at('/.snapshots/new')), await own.isComplete()]).toEqual([
      true,
      true,
      true,
    ])
    const few = await findPrivateFolders({ ...options, use: known(...places(snapshots.slice(0, 100)), sub) })
    expect(few.masked.length).toBe(101)
    const used = { path: at('/.snapshots/0/snapshot'), isUsed: true }
    expect((await findPrivateFolders({ ...options, use: known(...places(snapshots.slice(1)), used) })).masked.length).toBe(300)
  })
})
