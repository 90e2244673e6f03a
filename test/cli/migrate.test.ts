import { readFile, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import {
  ACCOUNTS,
  hasEnded,
  hashOf,
  leadsNowhere,
  leftOut,
  LINK_PASSWORD,
  linkNumbers,
  LINKS,
  linksHere,
  nameOf,
  shareOf,
  signIn,
  SPACED_PASSWORD,
  tokenOf,
  withDatabase,
} from './old-databases.ts'
import { createTestInstall } from './satchel.ts'
import { writeOldDatabase } from '../../tools/switch/old-database.ts'

// Databases with a thousand accounts, on a machine that may be busy.
setDefaultTimeout(300_000)

const GENERATIONS = ['2.0', '2.17', '2.63'] as const
/** The accounts of the small one, which has 30 links, three of them to a missing file. */
const SMALL = { accounts: 12 }
type Generation = (typeof GENERATIONS)[number]

describe('migrate', () => {
  for (const generation of GENERATIONS)
    it(`S1: moves ${ACCOUNTS} accounts and ${LINKS} links of ${generation} value by value`, async () => {
      const { install, file } = await withDatabase(`file-browser-${generation}`)
      const report = await install.ask(['migrate', file, '--root', 'files'])
      const open = linkNumbers().filter((link) => !hasEnded(link))
      const moved = open.filter((link) => !leadsNowhere(link))
      expect(report).toMatchObject({
        dryRun: false,
        settings: true,
        accounts: { added: { length: ACCOUNTS }, overwrote: [], kept: [] },
        links: { added: moved.length, kept: 0, ended: LINKS - open.length },
      })
      expect(leftOut(report)).toEqual(open.filter(leadsNowhere).map(hashOf).toSorted())
      expect(await install.ask(['users', 'ls'])).toEqual(Array.from({ length: ACCOUNTS }, (_, index) => accountOf(index + 1, generation)))

      await using server = await install.serve()
      const admin = await signIn(server.url, 'user-0001', 'password-1')
      for (const id of [2, 3, 4]) await signIn(server.url, nameOf(id), `password-${id % 4}`)
      const here = await linksHere(server.url, admin)
      expect(here.size).toBe(moved.length)
      for (const link of moved)
        expect(here.get(hashOf(link))).toMatchObject(shareOf(link, { hasPassword: generation !== '2.0' && link % 5 === 0 }))
    })

  it('U14: prints no password, asks for none and welcomes nobody: people come with their own', async () => {
    const { install, file } = await withDatabase('file-browser-2.63', SMALL)
    await install.ask(['migrate', file, '--root', 'files'])
    await using server = await install.serve()
    expect(server.said).not.toContain('Sign in as')
    const token = await signIn(server.url, 'user-0001', 'password-1')
    const own = (await (await fetch(`${server.url}api/users/1`, { headers: { 'x-auth': token } })).json()) as object
    expect(Object.keys(own)).not.toContain('welcome')
    expect(Object.keys(own)).not.toContain('mustChangePassword')
  })

  it('S1: moves settings, and writes the options of the server to a configuration file', async () => {
    const { install, file } = await withDatabase('file-browser-2.63')
    const { out } = await install.satchel(['migrate', file, '--root', 'files', '--write-config', '.satchel.json'])
    expect(out).toContain('settings.fileMode was left out')
    expect(await install.ask(['config', 'cat'])).toMatchObject({
      signup: true,
      hideLoginButton: true,
      createUserDir: true,
      userHomeBasePath: '/people',
      minimumPasswordLength: 14,
      defaults: {
        locale: 'de',
        commands: ['git'],
        sorting: { by: 'size', asc: true },
        perm: { admin: false, execute: true, create: false },
      },
      branding: { name: 'Family files', disableExternal: true, theme: 'dark' },
      tus: { chunkSize: 20_971_520, retryCount: 7 },
      commands: { after_save: ['echo saved'], before_copy: [] },
      shell: ['sh', '-c'],
      rules: [{ regex: false, allow: false, path: '/private' }],
    })
    expect(JSON.parse(await readFile(join(install.home, '.satchel.json'), 'utf8'))).toMatchObject({
      root: join(install.home, 'files'),
      baseURL: '/files',
      port: '8081',
      tokenExpirationTime: '3h',
    })
  })

  it('S1: keeps links at their addresses, with their passwords, tokens and ends', async () => {
    const { install, file } = await withDatabase('file-browser-2.63')
    await install.ask(['migrate', file, '--root', 'files'])
    await using server = await install.serve()
    const get = (call: string, link: number, { query = '', password = '' } = {}) =>
      fetch(`${server.url}api/public/${call}/${hashOf(link)}${query}`, {
        headers: password === '' ? {} : { 'X-SHARE-PASSWORD': encodeURIComponent(password) },
      })
    for (const link of linkNumbers()) {
      const { perm } = accountOf((link % ACCOUNTS) + 1, '2.63')
      const isThere = perm.share && !hasEnded(link) && !leadsNowhere(link)
      const isProtected = link % 5 === 0
      expect([link, (await get('share', link)).status]).toEqual([link, !isThere ? 404 : isProtected ? 401 : 200])
      if (isProtected)
        expect([link, (await get('share', link, { query: `?token=${tokenOf(link)}` })).status]).toEqual([link, isThere ? 200 : 404])
    }
    expect(await (await get('dl', 2)).text()).toBe('content of file 2 of user-0003')
    expect(await (await get('dl', 10, { query: `?token=${tokenOf(10)}` })).text()).toBe('content of file 0 of user-0011')
    // A second time: using it must not shorten its life.
    expect((await get('dl', 10, { query: `?token=${tokenOf(10)}` })).status).toBe(200)
    expect((await get('dl', 10, { query: `?token=${tokenOf(5)}` })).status).toBe(401)
    expect(await (await get('share', 1)).json()).toMatchObject({ isDir: true, items: [{ name: 'file 0.txt' }, {}, {}, {}] })
    expect((await get('share', 5, { password: 'wrong' })).status).toBe(401)
    expect((await get('share', 5, { password: LINK_PASSWORD })).status).toBe(200)
    expect((await get('share', 5, { password: ` ${LINK_PASSWORD} ` })).status).toBe(200)
    expect((await get('share', 70, { password: SPACED_PASSWORD.trim() })).status).toBe(401)
    expect((await get('share', 70, { password: SPACED_PASSWORD })).status).toBe(200)
  })

  it('S1: ends the old token with the password of the link', async () => {
    const { install, file } = await withDatabase('file-browser-2.63')
    await install.ask(['migrate', file, '--root', 'files'])
    await using server = await install.serve()
    const admin = await signIn(server.url, 'user-0001', 'password-1')
    const withToken = () => fetch(`${server.url}api/public/share/${hashOf(5)}?token=${tokenOf(5)}`)
    expect((await withToken()).status).toBe(200)
    const changed = await fetch(`${server.url}api/shares/${hashOf(5)}`, {
      method: 'PATCH',
      headers: { 'X-Auth': admin },
      body: JSON.stringify({ password: 'another one' }),
    })
    expect([changed.status, (await withToken()).status]).toEqual([200, 401])
  })

  it('S1: keeps old tokens of links through a backup', async () => {
    const install = await createTestInstall()
    await writeFile(join(install.home, 'files/a.txt'), 'content')
    const password = await Bun.password.hash('correct horse', { algorithm: 'bcrypt', cost: 4 })
    const token = tokenOf(1)
    writeOldDatabase(join(install.home, 'old.db'), {
      users: [{ id: 1, username: 'root', password, scope: '/' }],
      shares: [{ hash: 'protect1', path: '/a.txt', userID: 1, expire: 0, password_hash: password, token }],
    })
    await install.ask(['migrate', 'old.db', '--root', 'files'])
    for (const args of [
      ['backup', 'kept.tgz'],
      ['restore', 'kept.tgz', '--force'],
    ])
      expect([args, (await install.satchel(args)).code]).toEqual([args, 0])
    await using server = await install.serve(['--root', 'files'])
    expect(await (await fetch(`${server.url}api/public/dl/protect1?token=${token}`)).text()).toBe('content')
  })

  it('S1: changes nothing when it runs again, and nothing in the old database', async () => {
    const { install, file } = await withDatabase('file-browser-small', SMALL)
    const before = await readFile(join(install.home, file))
    await install.ask(['migrate', file, '--root', 'files'])
    await install.ask(['config', 'set', '--branding.name', 'Ours'])
    await install.ask(['users', 'update', 'user-0002', '--locale', 'fr'])
    const accounts = await install.ask(['users', 'ls'])
    expect(await install.ask(['migrate', file, '--root', 'files'])).toMatchObject({
      settings: false,
      accounts: { added: [], overwrote: [], kept: { length: 12 } },
      links: { added: 0, kept: 27 },
      notes: [],
    })
    expect(await install.ask(['users', 'ls'])).toEqual(accounts)
    expect(await install.ask(['config', 'cat'])).toMatchObject({ branding: { name: 'Ours' } })
    expect(await readFile(join(install.home, file))).toEqual(before)

    await install.ask(['migrate', file, '--root', 'files', '--overwrite'])
    expect(await install.ask(['config', 'cat'])).toMatchObject({ branding: { name: 'Family files' } })
    expect(await install.ask(['users', 'find', 'user-0002'])).toMatchObject([{ locale: accountOf(2, '2.0').locale }])
  })

  it('S1: writes nothing in a trial', async () => {
    const { install, file } = await withDatabase('file-browser-small', SMALL)
    expect(await install.ask(['migrate', file, '--root', 'files', '--dry-run'])).toMatchObject({
      dryRun: true,
      settings: true,
      links: { added: 27 },
    })
    expect(existsSync(join(install.home, '.satchel.json'))).toBe(false)
    expect((await install.satchel(['users', 'ls'])).complaints).toContain('there is no database')
  })

  it('S1: makes no database for a move that is refused, and writes options of the server for programs too', async () => {
    const { install, file } = await withDatabase('file-browser-small', SMALL)
    const refused = await install.satchel(['migrate', file, '--root', 'nowhere', '--old-root', '/elsewhere'])
    expect([refused.code, refused.complaints]).toEqual([1, expect.stringContaining('nothing was moved')])
    expect((await install.satchel(['users', 'ls'])).complaints).toContain('there is no database')
    const report = await install.ask(['migrate', file, '--root', 'files', '--write-config', 'ours.json'])
    // The served folder is the one that was named, not the one of the old server.
    const options = { port: '8081', root: join(install.home, 'files') }
    expect(report).toMatchObject({ options })
    expect(JSON.parse(await readFile(join(install.home, 'ours.json'), 'utf8'))).toMatchObject(options)
  })

  it('S1: moves nothing where another account has the id, and names it', async () => {
    const { install, file } = await withDatabase('file-browser-small', SMALL)
    await install.satchel(['config', 'init'])
    await install.ask(['users', 'add', 'ann', 'correct horse battery'])
    for (const args of [['--dry-run'], []]) {
      const { code, complaints } = await install.satchel(['migrate', file, '--root', 'files', ...args])
      expect([code, complaints]).toEqual([1, expect.stringContaining('the id 1 is here "ann" and in the file "user-0001"')])
    }
    expect(await install.ask(['users', 'ls'])).toHaveLength(1)
    expect(await install.ask(['config', 'cat'])).toMatchObject({ branding: { name: '' } })
  })

  it('S1: reads a database whose newest meta page is damaged, and refuses one whose pages are', async () => {
    const { install, file } = await withDatabase('file-browser-small', SMALL)
    const whole = await readFile(join(install.home, file))
    const [first, second] = [0, 4096].map((at) => whole.readBigUInt64LE(at + 16 + 48))
    const newest = (first ?? 0n) > (second ?? 0n) ? 0 : 4096
    await writeFile(join(install.home, 'meta.db'), damaged(whole, newest + 20))
    expect((await install.satchel(['migrate', 'meta.db', '--root', 'files', '--dry-run'])).code).toBe(0)
    for (const [name, bytes] of [
      ['cut.db', whole.subarray(0, 8192)],
      ['zero.db', Buffer.concat([whole.subarray(0, 8192), Buffer.alloc(whole.length - 8192)])],
      ['noise.db', Buffer.concat([whole.subarray(0, 8192), Buffer.alloc(whole.length - 8192, 0xa5)])],
      ['both.db', damaged(damaged(whole, 20), 4096 + 20)],
      ['other.db', Buffer.from('no database')],
      ['empty.db', Buffer.alloc(0)],
    ] as const) {
      await writeFile(join(install.home, name), bytes)
      const { code, complaints } = await install.satchel(['migrate', name, '--root', 'files'])
      expect([name, code, complaints]).toEqual([name, 1, expect.stringContaining('cannot be read as a database of File Browser')])
    }
    expect((await install.satchel(['users', 'ls'])).complaints).toContain('there is no database')
  })
})

/** As `make.go.txt` makes accounts, by id. */
function accountOf(id: number, generation: Generation) {
  const has = (bit: number): boolean => id === 1 || ((id >> bit) & 1) === 0
  const [isNew, isOldest] = [generation === '2.63', generation === '2.0']
  const hidden = isNew
    ? { regex: false, allow: false, path: '/hidden', regexp: null }
    : { regex: true, allow: false, path: '', regexp: { raw: '^/hidden' } }
  return {
    id,
    username: nameOf(id),
    scope: `/${nameOf(id)}`,
    locale: ['en', 'de', 'fr'][id % 3],
    lockPassword: id % 11 === 0,
    viewMode: ['list', 'mosaic'][id % 2],
    singleClick: !isOldest && id % 2 === 0,
    redirectAfterCopyMove: isNew && id % 3 === 0,
    perm: {
      admin: id === 1,
      execute: has(0),
      create: has(1),
      rename: has(2),
      modify: has(3),
      delete: has(4),
      share: has(5),
      download: has(6),
    },
    commands: id % 7 === 0 ? ['git', 'ls'] : [],
    sorting: { by: ['name', 'size', 'modified'][id % 3], asc: id % 2 === 0 },
    rules: id % 5 === 0 ? [hidden, { regex: true, allow: true, path: '', regexp: { raw: '\\.txt$' } }] : [],
    hideDotfiles: !isOldest && id % 4 === 0,
    dateFormat: isNew && id % 2 === 1,
    aceEditorTheme: isNew ? ['', 'monokai'][id % 2] : '',
    disabled: false,
    secondFactor: false,
  }
}

function damaged(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 0xff
  return copy
}
