import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '../../src/shared/contract/client.ts'
import { api } from '../../src/shared/contract/index.ts'
import type { Job, JobRequest } from '../../src/shared/contract/jobs.ts'
import type { Rows } from '../../src/shared/contract/resources.ts'
import type { Rule } from '../../src/shared/contract/users.ts'
import { parseFilePath as at, ROOT } from '../../src/shared/file-path.ts'
import { mountSlowDisk } from '../../scripts/slow-disk/slow-disk.ts'
import { PASSWORD, type Program, startProgram } from './program.ts'
import { refusal } from './trash-calls.ts'
import { until } from './until.ts'

/** Another file system than the one of temporary folders. */
const OTHER_DISK = '/dev/shm'
const TIMEOUT_MS = 60_000
/** After this time the server looks again whether a disk is there. */
const LOOK_MS = 1100

let home: string
let disk: string
let program: Program
let me: Client<typeof api>

async function start(...args: string[]): Promise<void> {
  program = await startProgram(home, { args })
  me = createClient(api, (address, init) => program.open(address, { ...init, headers: Object.fromEntries(new Headers(init.headers)) }))
}

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'satchel-roots-'))
  disk = mkdtempSync(join(OTHER_DISK, 'satchel-roots-'))
  mkdirSync(join(home, 'root'))
  writeFileSync(join(home, 'root', 'here.txt'), 'here')
  writeFileSync(join(disk, 'there.txt'), 'there')
})
afterEach(async () => {
  await program.kill()
  for (const folder of [home, disk]) rmSync(folder, { recursive: true, force: true })
})

describe('a further root', () => {
  beforeEach(() => start('--roots', `disk=${disk}`), TIMEOUT_MS)

  it('is a folder of the top folder, with its own files', async () => {
    expect(await namesIn('/')).toEqual(['disk', 'here.txt'])
    expect(await namesIn('/disk')).toEqual(['there.txt'])
    expect(await read('/disk/there.txt')).toBe('there')
    await write('/disk/new.txt', 'new')
    expect(existsSync(join(disk, 'new.txt'))).toBe(true)
    expect(existsSync(join(home, 'root', 'disk'))).toBe(false)
  })

  it('moves and copies files and folders to another root as a job', async () => {
    await write('/folder/in/a.txt', 'a')
    expect(await run({ kind: 'move', items: [{ from: '/folder', to: '/disk/folder', replace: false, rename: false }] })).toBe('done')
    expect(await read('/disk/folder/in/a.txt')).toBe('a')
    expect(await namesIn('/')).toEqual(['disk', 'here.txt'])
    expect(await run({ kind: 'copy', items: [{ from: '/disk/folder', to: '/again', replace: false, rename: false }] })).toBe('done')
    expect(await read('/again/in/a.txt')).toBe('a')
    expect(await read('/disk/folder/in/a.txt')).toBe('a')
  })

  it('follows a file to another root: its link, its name in favourites', async () => {
    const link = await me.shares.create({ params: { path: at('/here.txt') }, query: {}, body: '{}' })
    await me.resources.transfer({ params: { path: at('/here.txt') }, query: { action: 'rename', destination: '/disk/here.txt' } })
    expect((await me.shares.mine({})).map(({ hash, path }) => [hash, path])).toEqual([[link.hash, '/disk/here.txt']])
    const visitor = await fetch(`${program.url}/api/public/dl/${link.hash}`)
    expect(await visitor.text()).toBe('here')
  })

  it('has its own trash, from which things come back', async () => {
    const answer = await me.resources.remove({ params: { path: at('/disk/there.txt') }, query: {} })
    const group = answer.headers.get('x-satchel-operation') ?? ''
    expect(readdirSync(join(disk, '.satchel', 'trash')).length).toBe(1)
    const [entry] = (await me.trash.list({ query: {} })).entries
    expect(entry?.path).toBe('/disk/there.txt')
    await me.trash.restore({ params: { id: entry?.id ?? '' }, body: {} })
    expect(await read('/disk/there.txt')).toBe('there')
    expect(group).not.toBe('')
    // As between file systems of one root: first to where it was.
    await me.resources.remove({ params: { path: at('/disk/there.txt') }, query: {} })
    const [again] = (await me.trash.list({ query: {} })).entries
    expect(await refusal(me.trash.restore({ params: { id: again?.id ?? '' }, body: { to: '/there.txt' } }))).toBe('invalid-input')
    expect(readdirSync(join(disk, '.satchel', 'trash')).length).toBe(1)
  })

  it('keeps earlier contents, and undoes what was done', async () => {
    await me.resources.save({ params: { path: at('/disk/there.txt') }, body: 'second' })
    const { versions } = await me.versions.list({ params: { path: at('/disk/there.txt') } })
    expect(versions.length).toBe(1)
    expect(readdirSync(join(disk, '.satchel', 'versions')).length).toBe(1)
    await me.versions.restore({ params: { path: at('/disk/there.txt') }, query: { id: versions[0]?.id ?? '' } })
    expect(await read('/disk/there.txt')).toBe('there')
    const moved = await me.resources.transfer({
      params: { path: at('/here.txt') },
      query: { action: 'rename', destination: '/disk/here.txt' },
    })
    await me.operations.undo({ params: { group: moved.headers.get('x-satchel-operation') ?? '' } })
    await until(async () => (await namesIn('/')).includes('here.txt'))
    expect(await namesIn('/disk')).toEqual(['there.txt'])
  })

  it('is searched and counted with all the others', async () => {
    await write('/deep/note.txt', '12345')
    await write('/disk/deep/note.txt', '123')
    await until(async () => (await me.sizes.folder({ params: { path: ROOT }, query: {} })).sums !== null)
    const found = async (folder: string): Promise<string[]> =>
      (await me.search.run({ params: { path: at(folder) }, query: { query: 'note' } })).map(({ path }) => path).sort()
    expect(await found('/')).toEqual(['deep/note.txt', 'disk/deep/note.txt'])
    expect(await found('/disk')).toEqual(['deep/note.txt'])
    const names = (await me.search.run({ params: { path: ROOT }, query: { query: 'disk' } })).map(({ path }) => path)
    expect(names).toEqual(['disk'])
    await until(async () => (await sizeOf('/disk')) === 'there123'.length)
    await until(async () => (await sizeOf('/')) === 'herethere12345123'.length)
  })

  it('counts in the quota of everybody', async () => {
    await me.quotas.set({ body: { who: { kind: 'everybody', id: 0 }, bytes: 20, files: null } })
    const { bytes } = await me.quotas.count({ body: { who: { kind: 'everybody', id: 0 } } })
    expect(bytes?.used).toBe('here'.length + 'there'.length)
    expect(await refusal(write('/disk/large', 'x'.repeat(30)))).toBe('quota-exceeded')
    expect(await refusal(write('/disk/small', 'x'.repeat(3)))).toBe('none')
  })

  it('cannot be renamed, moved, removed or replaced', async () => {
    await write('/folder/a', 'a')
    for (const destination of ['/other', '/folder/disk'])
      expect(await refusal(me.resources.transfer({ params: { path: at('/disk') }, query: { action: 'rename', destination } }))).toBe('busy')
    expect(await refusal(me.resources.remove({ params: { path: at('/disk') }, query: {} }))).toBe('busy')
    expect(await refusal(me.resources.remove({ params: { path: at('/disk') }, query: { permanent: 'true' } }))).toBe('busy')
    expect(await refusal(write('/disk', 'x'))).toBe('already-exists')
    expect(await namesIn('/disk')).toEqual(['there.txt'])
  })

  it('is given and denied by rules like any folder', async () => {
    await addPerson('ann', { scope: '/disk' })
    const ann = await as('ann')
    expect(await (await ann.raw.get({ params: { path: at('/there.txt') }, query: {} })).text()).toBe('there')
    await addPerson('bob', { scope: '/', rules: [{ allow: false, regex: false, path: '/disk', regexp: { raw: '' } }] })
    const bob = await as('bob')
    expect(await refusal(bob.resources.get({ params: { path: at('/disk') }, query: {} }))).toBe('not-found')
    expect((await bob.search.run({ params: { path: ROOT }, query: { query: 'there' } })).length).toBe(0)
  })

  it('is told to administrators only', async () => {
    const [main, further] = await me.roots.list({})
    expect(main).toMatchObject({ name: '', kind: 'local', state: 'connected', readOnly: false })
    expect(further).toMatchObject({ name: 'disk', kind: 'local', address: disk, state: 'connected' })
    expect(further?.total).toBeGreaterThan(0)
    await addPerson('ann', { scope: '/' })
    expect(await refusal((await as('ann')).roots.list({}))).toBe('forbidden')
  })

  it('is moved into and out of by WebDAV', async () => {
    const basic = `Basic ${btoa(`admin:${PASSWORD}`)}`
    const dav = (path: string, init: RequestInit) =>
      fetch(`${program.url}/dav${path}`, { ...init, headers: { authorization: basic, ...init.headers } })
    expect(await (await dav('/', { method: 'PROPFIND', headers: { depth: '1' } })).text()).toContain('/dav/disk/')
    expect((await dav('/here.txt', { method: 'MOVE', headers: { destination: `${program.url}/dav/disk/here.txt` } })).status).toBe(201)
    expect(await (await dav('/disk/here.txt', {})).text()).toBe('here')
    expect((await dav('/disk', { method: 'DELETE' })).status).toBe(423)
  })
})

describe('a further root whose disk is not there', () => {
  /** The disk is elsewhere, and an empty folder is where it was: as after unmounting. */
  const disconnect = (): void => {
    renameSync(disk, `${disk}-gone`)
    mkdirSync(disk)
  }
  const connect = (): void => {
    rmSync(disk, { recursive: true })
    renameSync(`${disk}-gone`, disk)
  }
  afterEach(() => rmSync(`${disk}-gone`, { recursive: true, force: true }))

  it(
    'is away, and nothing is written to where it was; it comes back by itself',
    async () => {
      await start('--roots', `disk=${disk}`)
      await write('/disk/mine.txt', 'mine')
      disconnect()
      await Bun.sleep(LOOK_MS)
      expect(await refusal(write('/disk/lost.txt', 'lost'))).toBe('storage-busy')
      expect(await refusal(me.resources.get({ params: { path: at('/disk') }, query: {} }))).toBe('storage-busy')
      expect(await refusal(me.resources.remove({ params: { path: at('/disk/mine.txt') }, query: {} }))).toBe('storage-busy')
      expect(readdirSync(disk)).toEqual([])
      expect(await namesIn('/')).toEqual(['disk', 'here.txt'])
      expect((await rowsOf('/')).away).toEqual(['disk'])
      expect((await me.roots.list({}))[1]).toMatchObject({ name: 'disk', state: 'away', total: null })
      // The others are not held up.
      expect(await read('/here.txt')).toBe('here')
      expect((await me.search.run({ params: { path: ROOT }, query: { query: 'txt' } })).map(({ path }) => path)).toEqual(['here.txt'])
      connect()
      await Bun.sleep(LOOK_MS)
      expect(await read('/disk/mine.txt')).toBe('mine')
      expect((await me.roots.list({}))[1]).toMatchObject({ state: 'connected' })
    },
    TIMEOUT_MS,
  )

  it(
    'is away at the start, too; its trash and versions are still there when it is back',
    async () => {
      await start('--roots', `disk=${disk}`)
      await me.resources.save({ params: { path: at('/disk/there.txt') }, body: 'second' })
      await write('/disk/gone.txt', 'gone')
      await me.resources.remove({ params: { path: at('/disk/gone.txt') }, query: {} })
      await program.kill()
      disconnect()
      await start('--roots', `disk=${disk}`)
      expect(await refusal(me.resources.get({ params: { path: at('/disk') }, query: {} }))).toBe('storage-busy')
      expect(readdirSync(disk)).toEqual([])
      connect()
      await Bun.sleep(LOOK_MS)
      const { entries } = await me.trash.list({ query: {} })
      await me.trash.restore({ params: { id: entries[0]?.id ?? '' }, body: {} })
      expect(await read('/disk/gone.txt')).toBe('gone')
      expect((await me.versions.list({ params: { path: at('/disk/there.txt') } })).versions.length).toBe(1)
    },
    TIMEOUT_MS,
  )
})

describe('a further root on a disk of its own', () => {
  let mounted: string
  beforeEach(() => {
    mounted = join(home, 'mounted')
    mkdirSync(mounted)
  })
  afterEach(() => void spawnSync('umount', ['-l', mounted]))

  it(
    'writes nothing to the mount point when the disk is unmounted, and goes on when it is mounted again',
    async () => {
      const image = join(disk, 'image')
      for (const [command = '', ...args] of [
        ['truncate', '-s', '16M', image],
        ['mkfs.ext4', '-q', '-F', image],
        ['mount', '-o', 'loop', image, mounted],
      ])
        expect([command, spawnSync(command, args).status]).toEqual([command, 0])
      await start('--roots', `stick=${mounted}`)
      await write('/stick/a.txt', 'a')
      expect(spawnSync('umount', ['-l', mounted]).status).toBe(0)
      await Bun.sleep(LOOK_MS)
      expect(await refusal(write('/stick/b.txt', 'b'))).toBe('storage-busy')
      expect(readdirSync(mounted)).toEqual([])
      // Another disk in its place is not taken for it.
      spawnSync('mount', ['-t', 'tmpfs', 'none', mounted])
      await Bun.sleep(LOOK_MS)
      expect(await refusal(write('/stick/b.txt', 'b'))).toBe('storage-busy')
      expect(readdirSync(mounted)).toEqual([])
      spawnSync('umount', [mounted])
      // As another device than before.
      expect(spawnSync('mount', ['-o', 'loop', image, mounted]).status).toBe(0)
      await Bun.sleep(LOOK_MS)
      expect(await read('/stick/a.txt')).toBe('a')
      expect(await refusal(write('/stick/b.txt', 'b'))).toBe('none')
    },
    TIMEOUT_MS,
  )

  it(
    'R5: holds nobody up who does not use it while it answers nothing',
    async () => {
      const slow = await mountSlowDisk(mounted)
      try {
        writeFileSync(join(mounted, 'file.txt'), 'far away')
        await start('--roots', `slow=${mounted}`, '--shutdownGrace', '1s')
        expect(await read('/slow/file.txt')).toBe('far away')
        await slow.hold()
        const waiting = read('/slow/file.txt')
        await Bun.sleep(LOOK_MS)
        const begun = performance.now()
        expect(await namesIn('/')).toEqual(['here.txt', 'slow'])
        expect(await read('/here.txt')).toBe('here')
        await write('/more.txt', 'more')
        expect((await me.roots.list({})).length).toBe(2)
        expect(performance.now() - begun).toBeLessThan(5000)
        await slow.letGo()
        expect(await waiting).toBe('far away')
      } finally {
        await slow[Symbol.asyncDispose]()
      }
    },
    TIMEOUT_MS,
  )
})

describe('the start with further roots', () => {
  const refusedWith = async (...args: string[]): Promise<string> => start(...args).then(() => '', String)

  it(
    'is refused if one would hide something, is named twice, or lies in another',
    async () => {
      await start()
      await program.kill()
      mkdirSync(join(home, 'root', 'disk'))
      expect(await refusedWith('--roots', `disk=${disk}`)).toContain('did not start')
      rmSync(join(home, 'root', 'disk'), { recursive: true })
      expect(await refusedWith('--roots', `a=${disk},A=${home}`)).toContain('did not start')
      expect(await refusedWith('--roots', `a=${join(home, 'root', 'in')}`)).toContain('did not start')
      expect(await refusedWith('--roots', `a=${join(home, 'data')}`)).toContain('did not start')
      await start('--roots', `disk=${disk}`)
      await program.kill()
      // What another program puts there later is hidden.
      mkdirSync(join(home, 'root', 'disk'))
      writeFileSync(join(home, 'root', 'disk', 'secret.txt'), 'hidden')
      await start('--roots', `disk=${disk}`)
      expect(await namesIn('/disk')).toEqual(['there.txt'])
    },
    TIMEOUT_MS,
  )
})

describe('a read-only root', () => {
  beforeEach(() => start('--roots', `disk=${disk}:ro`), TIMEOUT_MS)

  it('refuses every change, and is not touched', async () => {
    const there = { params: { path: at('/disk/there.txt') } }
    const attempts = {
      upload: () => write('/disk/new.txt', 'new'),
      folder: () => me.resources.upload({ params: { path: at('/disk/new/') }, query: {}, body: '' }),
      save: () => me.resources.save({ ...there, body: 'changed' }),
      rename: () => me.resources.transfer({ ...there, query: { action: 'rename', destination: '/disk/other.txt' } }),
      'move out': () => me.resources.transfer({ ...there, query: { action: 'rename', destination: '/there.txt' } }),
      'move in': () =>
        me.resources.transfer({ params: { path: at('/here.txt') }, query: { action: 'rename', destination: '/disk/here.txt' } }),
      'copy in': () =>
        me.resources.transfer({ params: { path: at('/here.txt') }, query: { action: 'copy', destination: '/disk/here.txt' } }),
      remove: () => me.resources.remove({ ...there, query: {} }),
      'remove for good': () => me.resources.remove({ ...there, query: { permanent: 'true' } }),
    }
    for (const [what, attempt] of Object.entries(attempts)) expect([what, await refusal(attempt())]).toEqual([what, 'read-only'])
    expect(readdirSync(disk)).toEqual(['there.txt'])
    expect(await read('/here.txt')).toBe('here')
    expect(await namesIn('/')).toEqual(['disk', 'here.txt'])
  })

  it('is read, copied from, and says what may be done there', async () => {
    await me.resources.transfer({ params: { path: at('/disk/there.txt') }, query: { action: 'copy', destination: '/there.txt' } })
    expect(await read('/there.txt')).toBe('there')
    const inside = await rowsOf('/disk')
    expect(inside.rights).toEqual(expect.arrayContaining(['download', 'share']))
    for (const right of ['create', 'modify', 'rename', 'delete'] as const) expect(inside.rights).not.toContain(right)
    const top = await rowsOf('/')
    expect(top.rightsOf?.disk).not.toContain('delete')
    expect(top.rights).toContain('delete')
    const file = await me.resources.get({ params: { path: at('/disk/there.txt') }, query: {} })
    expect(file.type).toBe('textImmutable')
  })
})

async function namesIn(folder: string): Promise<string[]> {
  const listed = await me.resources.get({ params: { path: at(folder) }, query: {} })
  if (!('items' in listed)) throw new Error(`${folder} is no folder`)
  return listed.items.map(({ name }) => name).sort()
}

async function rowsOf(folder: string): Promise<Rows> {
  const rows = await me.resources.rows({ params: { path: at(folder) } })
  return 'names' in rows ? rows : Promise.reject(new Error(`${folder} is no folder`))
}

async function addPerson(username: string, { scope, rules = [] }: { scope: string; rules?: Rule[] }): Promise<void> {
  const perm = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true }
  const data = { username, password: PASSWORD, scope, rules, perm }
  await me.users.create({ body: { what: 'user', which: [], current_password: PASSWORD, data } })
}

async function as(username: string): Promise<Client<typeof api>> {
  const login = await fetch(`${program.url}/api/login`, { method: 'POST', body: JSON.stringify({ username, password: PASSWORD }) })
  const token = await login.text()
  return createClient(api, (address, init) => {
    const headers = new Headers(init.headers)
    headers.set('x-auth', token)
    return fetch(program.url + address, { ...init, headers })
  })
}

async function read(path: string): Promise<string> {
  return (await me.raw.get({ params: { path: at(path) }, query: {} })).text()
}

async function write(path: string, body: string): Promise<void> {
  await me.resources.upload({ params: { path: at(path) }, query: {}, body })
}

async function sizeOf(folder: string): Promise<number | null> {
  return (await me.sizes.folder({ params: { path: at(folder) }, query: {} })).sums?.bytes ?? null
}

async function run(body: JobRequest): Promise<Job['state']> {
  const { id } = await me.jobs.start({ body })
  const find = async () => (await me.jobs.list({})).find((job) => job.id === id)
  await until(async () => !['waiting', 'running'].includes((await find())?.state ?? 'running'))
  return (await find())?.state ?? 'failed'
}
