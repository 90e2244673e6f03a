import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
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
  linksHere,
  makeFiles,
  nameOf,
  shareOf,
  signIn,
  tokenOf,
  withDatabase,
} from './old-databases.ts'
import { quantumSqlite } from './quantum-sqlite.ts'
import { createTestInstall } from './satchel.ts'

// Databases with a thousand accounts, on a machine that may be busy.
setDefaultTimeout(300_000)

const CONFIG = `
server:
  port: 8085
  baseURL: "/q/"
  sources:
    - path: /srv/data
      name: data
      config: { createUserDir: true, defaultUserScope: /people }
    - path: /srv/other
  logging: [{ levels: info }]
auth:
  tokenExpirationHours: 5
  methods:
    password: { enabled: true, minLength: 9, signup: true }
    oidc: { enabled: true, clientId: x, issuerUrl: https://id.example }
frontend:
  name: Ours
userDefaults:
  locale: de
  viewMode: gallery
  stickySidebar: true
  permissions: { modify: true, share: false, create: true, delete: false, download: true }
`

describe('migrate, from FileBrowser Quantum', () => {
  it(`S1: moves ${ACCOUNTS} accounts and their links of version 1 value by value, from one of its sources`, async () => {
    const { install, file } = await withDatabase('quantum-1')
    const report = await install.ask(['migrate', file, '--root', 'files', '--source', '/srv/data'])
    const ids = linkNumbers(ACCOUNTS).filter(isInSource)
    expect(await install.ask(['users', 'ls'])).toEqual(ids.map(accountOf))

    const linksToMove = linkNumbers().filter((link) => whyLeftOut(link) === null && !hasEnded(link))
    expect(report).toMatchObject({ links: { added: linksToMove.length, kept: 0 } })
    expect(leftOut(report)).toEqual(
      linkNumbers()
        .filter((link) => whyLeftOut(link) === 'always' || (whyLeftOut(link) !== null && !hasEnded(link)))
        .map(hashOf)
        .toSorted(),
    )
    await using server = await install.serve()
    const here = await linksHere(server.url, await signIn(server.url, 'user-0001', 'password-1'))
    expect(here.size).toBe(linksToMove.length)
    for (const link of linksToMove) expect(here.get(hashOf(link))).toMatchObject({ ...shareOf(link), ...termsOf(link) })
  })

  it('S1: says what changed, and moves no sign-in of people who had no password', async () => {
    const { install, file } = await withDatabase('quantum-1')
    const { out } = await install.satchel(['migrate', file, '--root', 'files', '--source', '/srv/data'])
    for (const text of [
      'the source /srv/other (/srv/other) was left out: one folder is served here',
      'accounts whose second factor cannot be moved, so that their password alone signs them in: "user-0003"',
      'accounts whose API tokens do not work here: "user-0003"',
      'accounts left out, because they have no folder in this source: ',
      'rules for groups became rules of the people who are in them now',
      'only people with an account could open it',
      'it leads to the source /srv/other, which is not served here',
      'visitors could make some changes; here they can make all or none, now none',
      'settings are in config.yaml, which was not given',
    ])
      expect(out).toContain(text)
    await using server = await install.serve()
    // Quantum stores a hash of their name as their password.
    const response = await fetch(`${server.url}api/login`, {
      method: 'POST',
      body: JSON.stringify({ username: nameOf(50), password: nameOf(50) }),
    })
    expect(response.status).toBe(403)
  })

  it('S1: keeps what the rules of a source deny', async () => {
    const { install, file } = await withDatabase('quantum-1')
    await mkdir(join(install.home, 'files/user-0001/private'))
    await install.ask(['migrate', file, '--root', 'files', '--source', '/srv/data'])
    await using server = await install.serve()
    const list = async (id: number, path: string) => {
      const token = await signIn(server.url, nameOf(id), `password-${id % 4}`)
      return (await fetch(`${server.url}api/resources/${path}`, { headers: { 'X-Auth': token } })).status
    }
    expect([await list(1, 'docs'), await list(1, 'private')]).toEqual([200, 404])
    expect([await list(2, 'docs/file%200.txt'), await list(2, 'docs/file%202.txt')]).toEqual([200, 404])
    // A group may see what everybody else may not.
    expect([await list(3, 'docs'), await list(4, 'docs')]).toEqual([200, 404])
  })

  it('S1: opens links at the addresses that Quantum gave them, with their old tokens', async () => {
    const { install, file } = await withDatabase('quantum-0.4', { accounts: 12 })
    await install.ask(['migrate', file, '--root', 'files'])
    await using server = await install.serve()
    const page = await fetch(`${server.url}public/share/${hashOf(2)}/`, { redirect: 'manual' })
    expect([page.status, page.headers.get('location')]).toEqual([302, `/share/${hashOf(2)}/`])
    // Owners have the right to share if their id can be divided by three.
    const raw = (link: number, more = '') => fetch(`${server.url}public/api/raw?hash=${hashOf(link)}${more}`)
    expect(await (await raw(2)).text()).toBe('content of file 2 of user-0003')
    expect((await raw(5)).status).toBe(401)
    expect((await raw(5, `&token=${tokenOf(5).slice(0, 32)}`)).status).toBe(200)
    expect(await (await raw(5, `&token=${tokenOf(5).slice(0, 32)}&files=${encodeURIComponent('/file 4.txt')}`)).text()).toBe(
      'content of file 4 of user-0006',
    )
    const described = await fetch(`${server.url}api/public/share/${hashOf(5)}`, { headers: { 'X-SHARE-PASSWORD': LINK_PASSWORD } })
    expect(described.status).toBe(200)
  })

  it('S1: gives accounts of old versions the rights that they had without naming them', async () => {
    const { install, file } = await withDatabase('quantum-0.4', { accounts: 12 })
    await install.ask(['migrate', file, '--root', 'files'])
    const all = { create: true, rename: true, modify: true, delete: true, download: true }
    const none = { create: false, rename: false, modify: false, delete: false, download: true }
    expect(await install.ask(['users', 'find', nameOf(5)])).toMatchObject([{ scope: '/user-0005', perm: all }])
    expect(await install.ask(['users', 'find', nameOf(6)])).toMatchObject([
      { perm: { ...none, share: true, admin: false, execute: false } },
    ])
  })

  it('S1: takes settings from config.yaml, and lists what it cannot take', async () => {
    const { install, file } = await withDatabase('quantum-0.4', { accounts: 12 })
    await writeFile(join(install.home, 'config.yaml'), CONFIG)
    const args = ['migrate', file, '--root', 'files', '--quantum-config', 'config.yaml']
    expect((await install.satchel(args)).complaints).toContain('name its source with --source: data (/srv/data), other (/srv/other)')
    const { out } = await install.satchel([...args, '--source', 'data', '--write-config', 'ours.json'])
    for (const text of ['auth.methods.oidc was left out', 'server.logging was left out', 'userDefaults.stickySidebar was left out'])
      expect(out).toContain(text)
    expect(out).not.toContain('auth.methods.password')
    expect(await install.ask(['config', 'cat'])).toMatchObject({
      signup: true,
      minimumPasswordLength: 9,
      createUserDir: true,
      authMethod: 'json',
      branding: { name: 'Ours' },
      defaults: { scope: '/people', locale: 'de', viewMode: 'mosaic', perm: { modify: true, rename: true, share: false, delete: false } },
    })
    expect(JSON.parse(await readFile(join(install.home, 'ours.json'), 'utf8'))).toMatchObject({
      root: join(install.home, 'files'),
      port: '8085',
      baseURL: '/q',
      tokenExpirationTime: '5h',
    })
  })

  it('S1: moves a database of version 2, and finds its accounts again when it runs once more', async () => {
    const install = await createTestInstall()
    await makeFiles(install, 12)
    const before = quantumSqlite(join(install.home, 'quantum.db'))
    const args = ['migrate', 'quantum.db', '--root', 'files', '--source', '/srv/data']
    expect(await install.ask(args)).toMatchObject({ accounts: { added: { length: 3 } }, links: { added: 3 } })
    const accounts = await install.ask(['users', 'ls'])
    expect(accounts).toMatchObject([
      {
        id: 1,
        username: 'user-0001',
        scope: '/user-0001',
        viewMode: 'mosaic',
        hideDotfiles: false,
        perm: { admin: true, share: true, modify: true },
      },
      {
        id: 2,
        username: 'user-0002',
        locale: 'fr',
        sorting: { by: 'size', asc: true },
        perm: { modify: false, create: true, download: true, share: false },
      },
      { id: 3, username: 'user-0003', rules: [{ allow: false, path: '/' }] },
    ])
    await using server = await install.serve()
    const here = await linksHere(server.url, await signIn(server.url, 'user-0001', 'password-1'))
    expect(here.get('folder')).toMatchObject({ userID: 1, path: '/docs/', rights: 'edit', title: 'For you' })
    expect(here.get('box')).toMatchObject({ rights: 'drop' })
    expect((await fetch(`${server.url}public/api/resources/download?hash=file&token=${before.token}`)).status).toBe(200)
    expect(await install.ask(args)).toMatchObject({ accounts: { added: [], kept: { length: 3 } }, links: { added: 0, kept: 3 } })
    expect(await install.ask(['users', 'ls'])).toEqual(accounts)
    expect((await readFile(join(install.home, 'quantum.db'))).equals(before.bytes)).toBe(true)
  })

  it('S1: moves nothing with a configuration that names other folders, and says which the database knows', async () => {
    const { install, file } = await withDatabase('quantum-1', { accounts: 1 })
    await writeFile(join(install.home, 'config.yaml'), 'server: { sources: [{ path: /srv/elsewhere, name: files }] }\n')
    for (const args of [['--dry-run'], []]) {
      const { code, complaints } = await install.satchel(['migrate', file, '--quantum-config', 'config.yaml', '--root', 'files', ...args])
      expect([code, complaints]).toEqual([
        1,
        expect.stringMatching(
          /^satchel: nothing was moved: no account has a folder in the source files \(\/srv\/elsewhere\); .* in \/srv\/data, \/srv\/other\./,
        ),
      ])
    }
    expect((await install.satchel(['users', 'ls'])).complaints).toContain('there is no database')
  })

  it('S1: names the first of many accounts on a terminal, and all of them in --report', async () => {
    const { install, file } = await withDatabase('quantum-1', { accounts: 1 })
    const { out } = await install.satchel([
      'migrate',
      file,
      '--source',
      '/srv/other',
      '--root',
      'files',
      '--dry-run',
      '--report',
      'report.txt',
    ])
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThan(350)
    expect(out).toContain('accounts without a password here, because they signed in elsewhere')
    const whole = await readFile(join(install.home, 'report.txt'), 'utf8')
    expect([out.includes('"user-0950", "user-1000"'), whole.includes('"user-0950", "user-1000"')]).toEqual([false, true])
  })

  it('S1: recognizes its database where one of ours is wanted, and changes nothing', async () => {
    const install = await createTestInstall()
    const { bytes } = quantumSqlite(join(install.home, 'quantum.db'))
    for (const args of [
      ['users', 'ls', '--database', 'quantum.db'],
      ['users', 'import', 'quantum.db'],
      ['--database', 'quantum.db'],
    ])
      expect((await install.satchel(args)).complaints).toContain('is a database of FileBrowser Quantum. "satchel migrate ')
    expect((await readFile(join(install.home, 'quantum.db'))).equals(bytes)).toBe(true)
    expect((await readdir(install.home)).filter((name) => name.startsWith('quantum'))).toEqual(['quantum.db'])
  })

  it('S1: keeps the rights of the people whose right to share Quantum did not grant', async () => {
    const { install, file } = await withDatabase('quantum-0.4', { accounts: 12 })
    await rename(join(install.home, file), join(install.home, 'database.db'))
    await install.ask(['migrate', 'database.db', '--root', 'files'])
    await using server = await install.serve()
    // The owner of this link, user-0002, has no right to share.
    expect((await fetch(`${server.url}api/public/share/${hashOf(1)}`)).status).toBe(404)
  })
})

function isInSource(id: number): boolean {
  return id % 100 !== 99
}

/** Why `make.go.txt`'s link is not moved: whatever its end, or only if it has not ended; null if it is. */
function whyLeftOut(link: number): 'always' | 'open' | null {
  const owner = (link % ACCOUNTS) + 1
  if (!isInSource(owner) || link % 97 === 0 || link % 13 === 3) return 'always'
  // The rules of two people hide what their links lead to; uploads need a folder.
  const isHidden = owner === 4 || (owner === 2 && link % 10 === 2)
  return leadsNowhere(link) || isHidden || (link % 13 === 6 && link % 2 === 0) ? 'open' : null
}

function termsOf(link: number) {
  const rights = ['download', 'view', 'download', '', link % 2 === 0 ? 'download' : 'edit', 'download', 'drop'][link % 13] ?? 'download'
  return { title: `link ${link}`, message: 'for you', rights, maxDownloads: link % 13 === 2 ? 3 : 0 }
}

/** As `make.go.txt` makes accounts for Quantum 1, by id. */
function accountOf(id: number) {
  const denied = { regex: false, allow: false, regexp: null }
  const paths: Record<number, string> = { 1: '/private', 2: '/docs/file 2.txt', 4: '/docs' }
  const path = paths[id]
  const modify = id % 2 === 1
  return {
    id,
    username: nameOf(id),
    scope: `/${nameOf(id)}`,
    locale: ['en', 'de', 'fr'][id % 3],
    lockPassword: id % 11 === 0,
    viewMode: ['list', 'mosaic', 'mosaic', 'list'][id % 4],
    singleClick: id % 2 === 0,
    redirectAfterCopyMove: false,
    perm: {
      admin: id === 1,
      execute: false,
      create: id % 7 !== 0,
      rename: modify,
      modify,
      delete: id % 5 !== 0,
      share: id % 3 !== 0,
      download: id % 9 !== 0,
    },
    commands: [],
    sorting: { by: ['name', 'size', 'modified'][id % 3], asc: id % 2 === 0 },
    rules: path === undefined ? [] : [{ ...denied, path }],
    hideDotfiles: id % 4 !== 0,
    dateFormat: id % 2 === 1,
    aceEditorTheme: '',
    disabled: false,
    secondFactor: false,
  }
}
