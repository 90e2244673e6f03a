import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { isRecord } from '../../src/server/cli/records.ts'
import { createTestInstall, type TestInstall } from './satchel.ts'

// Databases with a thousand accounts, on a machine that may be busy.
setDefaultTimeout(300_000)

/** In the databases of 2.17 and 2.63. `fixtures/file-browser/make.go.txt` made them with the library that File Browser uses. */
const [ACCOUNTS, LINKS] = [1000, 5000]
const LINK_PASSWORD = 'secret of a link'

describe('migrate', () => {
  it('S1: moves accounts of 2.63 value by value', async () => {
    const { install, file } = await withDatabase('2.63')
    const report = await install.ask(['migrate', file, '--root', 'files'])
    expect(report).toMatchObject({ dryRun: false, settings: true, accounts: { overwrote: [], kept: [] } })
    const accounts = await install.ask(['users', 'ls'])
    if (!Array.isArray(accounts)) throw new Error('no list')
    expect(accounts).toEqual(Array.from({ length: ACCOUNTS }, (_, index) => accountOf(index + 1)))
  })

  it('S1: moves settings, and writes the options of the server to a configuration file', async () => {
    const { install, file } = await withDatabase('2.63')
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
      root: '/srv',
      baseURL: '/files',
      port: '8081',
      tokenExpirationTime: '3h',
    })
  })

  it('S1: keeps links at their addresses, with their passwords and ends, and passwords of accounts', async () => {
    const { install, file } = await withDatabase('2.63')
    const report = await install.ask(['migrate', file, '--root', 'files'])
    // Every fiftieth had ended, and `file 8.txt` is missing.
    const lost = Array.from({ length: LINKS }, (_, index) => index + 1).filter((link) => link % 50 !== 0 && link % 10 === 8)
    expect(report).toMatchObject({ links: { added: LINKS - LINKS / 50 - lost.length, kept: 0, ended: LINKS / 50 } })
    expect(leftOut(report)).toEqual(lost.map(hashOf).toSorted())

    await using server = await install.serve()
    const share = (link: number, headers: Record<string, string> = {}) =>
      fetch(`${server.url}api/public/share/${hashOf(link)}`, { headers })
    const dl = (link: number) => fetch(`${server.url}api/public/dl/${hashOf(link)}`)
    expect(await (await dl(2)).text()).toBe('content of file 2 of user-0003')
    expect(await (await share(1)).json()).toMatchObject({ isDir: true, items: [{ name: 'file 0.txt' }, {}, {}, {}] })
    expect((await share(50)).status).toBe(404)
    expect([(await share(5)).status, (await share(5, { 'X-SHARE-PASSWORD': 'wrong' })).status]).toEqual([401, 401])
    expect((await share(5, { 'X-SHARE-PASSWORD': encodeURIComponent(LINK_PASSWORD) })).status).toBe(200)

    const token = await signIn(server.url, 'user-0001', 'password-1')
    const listed: unknown = await (await fetch(`${server.url}api/shares`, { headers: { 'X-Auth': token } })).json()
    if (!Array.isArray(listed)) throw new Error('no list')
    expect(listed.find((link) => isRecord(link) && link.hash === hashOf(3))).toMatchObject({
      userID: 4,
      expire: 4_102_444_800,
      path: '/docs/',
    })
    expect(listed).toHaveLength(LINKS - LINKS / 50 - lost.length)
  })

  it('S1: moves a database of 2.17, whose scopes were absolute and whose rules matched the beginning of a name', async () => {
    const { install, file } = await withDatabase('2.17')
    const report = await install.ask(['migrate', file, '--root', 'files'])
    expect(report).toMatchObject({ settings: true, links: { kept: 0, ended: LINKS / 50 } })
    expect(await install.ask(['users', 'find', 'user-0005'])).toMatchObject([
      { id: 5, scope: '/user-0005', hideDotfiles: false, singleClick: false, rules: [{ regex: true, regexp: { raw: '^/hidden' } }, {}] },
    ])
    expect(await install.ask(['users', 'find', 'user-0004'])).toMatchObject([
      { scope: '/user-0004', hideDotfiles: true, singleClick: true },
    ])
  })

  it('S1: moves a database of 2.0', async () => {
    const { install, file } = await withDatabase('2.0')
    expect(await install.ask(['migrate', file, '--root', 'files'])).toMatchObject({ settings: true, links: { added: 27, ended: 0 } })
    expect(await install.ask(['users', 'ls'])).toHaveLength(12)
  })

  it('S1: changes nothing when it runs again, and nothing in the old database', async () => {
    const { install, file } = await withDatabase('2.0')
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
    expect(await install.ask(['users', 'find', 'user-0002'])).toMatchObject([{ locale: accountOf(2).locale }])
  })

  it('S1: writes nothing in a trial', async () => {
    const { install, file } = await withDatabase('2.0')
    expect(await install.ask(['migrate', file, '--root', 'files', '--dry-run'])).toMatchObject({
      dryRun: true,
      settings: true,
      links: { added: 27 },
    })
    expect(existsSync(join(install.home, '.satchel.json'))).toBe(false)
    expect((await install.satchel(['users', 'ls'])).complaints).toContain('there is no database')
  })

  it('S1: makes no database for a move that is refused, and writes options of the server for programs too', async () => {
    const { install, file } = await withDatabase('2.0')
    const refused = await install.satchel(['migrate', file, '--root', 'nowhere', '--old-root', '/elsewhere'])
    expect([refused.code, refused.complaints]).toEqual([1, expect.stringContaining('nothing was moved')])
    expect((await install.satchel(['users', 'ls'])).complaints).toContain('there is no database')
    const report = await install.ask(['migrate', file, '--root', 'files', '--write-config', 'ours.json'])
    expect(report).toMatchObject({ options: { port: '8081' } })
    expect(JSON.parse(await readFile(join(install.home, 'ours.json'), 'utf8'))).toMatchObject({ port: '8081' })
  })

  it('S1: moves nothing where another account has the id, and names it', async () => {
    const { install, file } = await withDatabase('2.0')
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
    const { install, file } = await withDatabase('2.0')
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

/** An installation whose served folder holds what the database speaks of, and the database, by its name. */
async function withDatabase(version: string): Promise<{ install: TestInstall; file: string }> {
  const install = await createTestInstall()
  const packed = await readFile(join(import.meta.dir, `fixtures/file-browser/file-browser-${version}.db.gz`))
  await writeFile(join(install.home, 'filebrowser.db'), Bun.gunzipSync(packed))
  for (let id = 1; id <= (version === '2.0' ? 12 : ACCOUNTS); id += 1) {
    const docs = join(install.home, 'files', nameOf(id), 'docs')
    await mkdir(docs, { recursive: true })
    for (const file of [0, 2, 4, 6]) await writeFile(join(docs, `file ${file}.txt`), `content of file ${file} of ${nameOf(id)}`)
  }
  return { install, file: 'filebrowser.db' }
}

function nameOf(id: number): string {
  return `user-${String(id).padStart(4, '0')}`
}

/** As `make.go.txt` names links. */
function hashOf(link: number): string {
  return createHash('sha256').update(`link ${link}`).digest().subarray(0, 6).toString('base64url')
}

/** As `make.go.txt` makes accounts for 2.63, by id. */
function accountOf(id: number) {
  const has = (bit: number): boolean => id === 1 || ((id >> bit) & 1) === 0
  const names = ['execute', 'create', 'rename', 'modify', 'delete', 'share', 'download']
  return {
    id,
    username: nameOf(id),
    scope: `/${nameOf(id)}`,
    locale: ['en', 'de', 'fr'][id % 3],
    lockPassword: id % 11 === 0,
    viewMode: ['list', 'mosaic'][id % 2],
    singleClick: id % 2 === 0,
    redirectAfterCopyMove: id % 3 === 0,
    perm: { admin: id === 1, ...Object.fromEntries(names.map((name, bit) => [name, has(bit)])) },
    commands: id % 7 === 0 ? ['git', 'ls'] : [],
    sorting: { by: ['name', 'size', 'modified'][id % 3], asc: id % 2 === 0 },
    rules:
      id % 5 === 0
        ? [
            { regex: false, allow: false, path: '/hidden', regexp: null },
            { regex: true, allow: true, path: '', regexp: { raw: '\\.txt$' } },
          ]
        : [],
    hideDotfiles: id % 4 === 0,
    dateFormat: id % 2 === 1,
    aceEditorTheme: ['', 'monokai'][id % 2],
    disabled: false,
  }
}

function leftOut(report: unknown): string[] {
  if (!isRecord(report) || !isRecord(report.links) || !Array.isArray(report.links.leftOut)) throw new Error('no report')
  return report.links.leftOut.map((link: unknown) => (isRecord(link) ? String(link.hash) : '')).toSorted()
}

async function signIn(url: string, username: string, password: string): Promise<string> {
  const response = await fetch(`${url}api/login`, { method: 'POST', body: JSON.stringify({ username, password }) })
  expect(response.status).toBe(200)
  return response.text()
}

function damaged(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 0xff
  return copy
}
