import { existsSync } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { openDatabase } from '../../src/server/db/database.ts'
import { createMemoryBus } from '../../src/server/bus/memory.ts'
import { createPasswords } from '../../src/server/users/password.ts'
import { createUsers } from '../../src/server/users/users.ts'
import { createWebhookStore, type StoredWebhook } from '../../src/server/webhooks/store.ts'
import { createTestInstall, type TestInstall } from './satchel.ts'
import { until } from '../contract/until.ts'

// Databases and hashes, several a test, on a machine that may be busy.
setDefaultTimeout(30_000)

describe('users import', () => {
  it('imports the accounts of 2.17, with absolute scopes made relative to the old root', async () => {
    const { satchel, ask, fixture, home } = await withAdmin()
    const file = await fixture('users-2.17.json')
    const refused = await satchel(['users', 'import', file, '--overwrite'])
    expect(refused.complaints).toContain('"bob": scope: /srv/users/bob does not lie in the served folder')
    const done = await satchel(['users', 'import', file, '--overwrite', '--old-root', '/srv'])
    expect([done.code, done.out]).toEqual([0, 'overwrote admin with the id 1\nadded bob with the id 4\n'])
    expect(done.complaints.split('\n')).toEqual([
      'satchel: perm.publish of the file means nothing here and was left out',
      expect.stringContaining('"bob": the rule for "/secret"'),
      '',
    ])
    expect(await ask(['users', 'find', 'bob'])).toEqual([
      {
        id: 4,
        username: 'bob',
        scope: '/users/bob',
        locale: 'de',
        lockPassword: true,
        viewMode: 'list',
        singleClick: true,
        redirectAfterCopyMove: false,
        perm: { admin: false, execute: false, create: true, rename: false, modify: true, delete: false, share: false, download: true },
        commands: ['git', 'ls'],
        sorting: { by: 'size', asc: true },
        rules: [
          { regex: true, allow: false, path: '', regexp: { raw: '^/secret' } },
          { regex: true, allow: true, path: '', regexp: { raw: '\\.txt$' } },
        ],
        hideDotfiles: true,
        dateFormat: false,
        aceEditorTheme: '',
        disabled: false,
        secondFactor: false,
      },
    ])
    expect(await signsIn(home, 'bob', 'correct horse')).toBe(true)
  })

  it('imports the YAML of 2.63, with absolute scopes below the root', async () => {
    const { satchel, ask, fixture } = await withAdmin()
    const done = await satchel(['users', 'import', await fixture('users-2.63.yaml'), '--replace'])
    expect([done.code, done.out]).toEqual([0, 'added root with the id 1\nadded eve with the id 7\n'])
    expect(done.complaints).toContain('viewMode "mosaic gallery"')
    expect(await ask(['users', 'ls'])).toMatchObject([
      {
        id: 1,
        username: 'root',
        scope: '/',
        viewMode: 'mosaic',
        sorting: { by: 'modified', asc: true },
        dateFormat: true,
        aceEditorTheme: 'monokai',
      },
      {
        id: 7,
        username: 'eve',
        scope: '/users/eve',
        locale: 'pt-br',
        rules: [{ regex: true, allow: false, regexp: { raw: '^/private' } }],
      },
    ])
  })

  it('imports an export unchanged, in both formats', async () => {
    const { satchel, ask, fixture } = await withAdmin()
    await satchel(['users', 'import', await fixture('users-2.63.yaml'), '--replace'])
    const before = await ask(['users', 'ls'])
    for (const file of ['a.json', 'a.yaml']) {
      expect((await satchel(['users', 'export', file])).out).toContain('wrote 2 accounts')
      expect((await satchel(['users', 'update', 'eve', '--perm.share=false'])).code).toBe(0)
      expect((await satchel(['users', 'import', file, '--overwrite'])).code).toBe(0)
      expect(await ask(['users', 'ls'])).toEqual(before)
    }
  })

  it('keeps a backup of the replaced list, and never overwrites another backup', async () => {
    const { satchel, fixture, home } = await withAdmin()
    await writeFile(join(home, 'users.backup.json'), 'precious')
    await satchel(['users', 'import', await fixture('users-2.63.yaml'), '--replace'])
    expect(await readFile(join(home, 'users.backup.json'), 'utf8')).toBe('precious')
    const backup = join(home, 'users.backup-2.json')
    expect((JSON.parse(await readFile(backup, 'utf8')) as { username: string }[]).map(({ username }) => username)).toEqual(['admin'])
    expect((await stat(backup)).mode & 0o777).toBe(0o600)
    expect((await satchel(['users', 'import', 'users.backup-2.json', '--replace'])).code).toBe(0)
  })

  it('writes files readable by the owner only, never where users could read them', async () => {
    const { satchel, home } = await withAdmin()
    expect((await satchel(['users', 'export', 'files/users.json'])).complaints).toContain('lies inside the served folder')
    expect((await satchel(['users', 'export', 'users.json'])).code).toBe(0)
    expect((await stat(join(home, 'users.json'))).mode & 0o777).toBe(0o600)
    expect(existsSync(join(home, 'files/users.json'))).toBe(false)
  })

  it('imports all or none', async () => {
    const { satchel, ask, fixture, home } = await withAdmin()
    const before = await ask(['users', 'ls'])
    const file = await fixture('users-2.63.yaml')
    expect((await satchel(['users', 'import', file])).complaints).toContain('the id 1 is here "admin" and in the file "root"; --overwrite')
    const users = [
      { id: 2, username: 'a', password: 'plain', scope: '.' },
      { id: 3, username: 'b', password: '$2a$10$'.padEnd(60, 'x'), scope: '.', rules: [{ regex: true, regexp: { raw: '[' } }] },
      { id: 3, username: 'B', password: '$2a$10$'.padEnd(60, 'x'), scope: '.' },
      { id: 5, username: 'c', password: '$2a$10$'.padEnd(60, 'x'), scope: '.' },
      { id: 6, username: 'C', password: '$2a$10$'.padEnd(60, 'x'), scope: '.' },
    ]
    await writeFile(join(home, 'bad.json'), JSON.stringify(users))
    const { complaints } = await satchel(['users', 'import', 'bad.json'])
    for (const line of ['"a": password: no hash', '"b": rules.0: regexp', '"c" and "C" are one name']) expect(complaints).toContain(line)
    await writeFile(join(home, 'none.json'), JSON.stringify([users[3]]))
    expect((await satchel(['users', 'import', 'none.json', '--replace'])).complaints).toContain('no administrator would be left')
    expect(await ask(['users', 'ls'])).toEqual(before)
  })
})

describe('config import', () => {
  it('imports the settings of 2.17 and names the options of the server', async () => {
    const { satchel, ask, fixture } = await withAdmin()
    const done = await satchel(['config', 'import', await fixture('config-2.17.json')])
    expect(done.code).toBe(0)
    expect(await ask(['config', 'cat'])).toMatchObject({
      signup: true,
      createUserDir: true,
      authMethod: 'proxy',
      auth: { header: 'X-My-Header' },
      branding: { name: 'The attic', disableExternal: true, files: '', theme: 'dark' },
      minimumPasswordLength: 12,
      defaults: { viewMode: 'mosaic', sorting: { by: 'name', asc: false }, perm: { execute: true }, commands: [] },
      commands: { after_upload: ['echo $FILE'], before_save: [] },
      rules: [{ regex: true, allow: false, path: '', regexp: { raw: '^/lost\\+found' } }],
    })
    expect(done.complaints).toContain('branding.files: /branding is no folder here')
    expect(JSON.parse(done.out.slice(done.out.indexOf('{')))).toEqual({ root: '/srv', baseURL: '/files', port: '80' })
  })

  it('imports the YAML of 2.63 and writes the server’s options into a file', async () => {
    const { satchel, ask, fixture } = await withAdmin()
    const done = await satchel(['config', 'import', await fixture('config-2.63.yaml'), '--write-config', 'new.json'])
    expect(done.code).toBe(0)
    expect(await ask(['config', 'cat'])).toMatchObject({
      userHomeBasePath: '/homes',
      minimumPasswordLength: 14,
      defaults: { scope: '/', locale: 'fr', singleClick: true, sorting: { by: 'size', asc: true }, aceEditorTheme: 'github' },
      branding: { name: 'Library', color: '#336699', disableUsedPercentage: true },
      tus: { chunkSize: 5_242_880, retryCount: 3 },
      shell: ['/bin/sh', '-c'],
      recaptcha: { key: 'site', secret: '(hidden)' },
    })
    const explained = async (key: string): Promise<string> => (await satchel(['config', 'explain', key, '-c', 'new.json'])).out
    expect(await explained('port')).toContain('port = 9000')
    expect(await explained('disablePreviewResize')).toContain('= true')
    expect(await explained('disableExec')).toContain('= true\n  disable all commands: hooks, shell and terminal\n  from the default')
    expect(await explained('tokenExpirationTime')).toContain('= 4h')
  })

  it('imports an export unchanged, in both formats', async () => {
    const { satchel, ask, fixture, home } = await withAdmin()
    await satchel(['config', 'import', await fixture('config-2.63.yaml')])
    await satchel(['config', 'set', '--activityDays', '30'])
    const before = await ask(['config', 'cat'])
    await using db = await openDatabase({ file: join(home, 'data/satchel.db') }, { clock: () => new Date() })
    // As a server has them that is running meanwhile.
    const webhooks = createWebhookStore(db)
    await webhooks.put(WEBHOOK)
    for (const file of ['c.json', 'c.yml']) {
      expect((await satchel(['config', 'export', file])).code).toBe(0)
      await satchel(['config', 'set', '--branding.name', 'Other', '--recaptcha.secret', 'other', '--activityDays', '7'])
      await webhooks.replaceAll([{ ...WEBHOOK, id: 'other', secret: 'other' }])
      expect((await webhooks.all()).map(({ id }) => id)).toEqual(['other'])
      const { code, complaints } = await satchel(['config', 'import', file])
      expect([code, complaints]).toEqual([0, ''])
      expect(await ask(['config', 'cat'])).toEqual(before)
      // A server asks a few times a second what other processes wrote.
      await until(async () => (await webhooks.all())[0]?.id === WEBHOOK.id)
      expect(await webhooks.all()).toEqual([WEBHOOK])
    }
    await satchel(['config', 'import', await fixture('config-2.63.yaml')])
    expect(await webhooks.all()).toEqual([WEBHOOK])
  })

  it('changes nothing if the file is invalid', async () => {
    const { satchel, ask, home } = await withAdmin()
    const before = await ask(['config', 'cat'])
    for (const text of [
      '{',
      '[]',
      '{"settings":{}}',
      '{"settings":{"signup":"yes"},"server":{}}',
      '{"settings":{"authMethod":"x"},"server":{}}',
      '{"settings":{"signup":true},"server":{},"webhooks":[{"id":"a","url":"http://127.0.0.1/","events":[],"enabled":true,"secret":"s","created":0}]}',
    ]) {
      await writeFile(join(home, 'bad.json'), text)
      expect([text, (await satchel(['config', 'import', 'bad.json'])).code]).toEqual([text, 1])
    }
    expect((await satchel(['config', 'import', 'bad.txt'])).complaints).toContain('ends with .json, .yaml or .yml')
    expect(await ask(['config', 'cat'])).toEqual(before)
  })
})

const WEBHOOK: StoredWebhook = {
  id: 'one',
  url: 'https://example.org/hook?key=1',
  events: ['after_upload', 'after_delete'],
  secret: 'Not-To-Be-Respelled',
  enabled: true,
  createdAt: new Date(1_700_000_000_000),
}

async function withAdmin(): Promise<TestInstall> {
  const install = await createTestInstall()
  await mkdir(join(install.home, 'files/users'))
  for (const args of [
    ['config', 'init'],
    ['users', 'add', 'admin', 'correct horse battery', '--perm.admin'],
  ]) {
    const { code, complaints } = await install.satchel(args)
    if (code !== 0) throw new Error(complaints)
  }
  return install
}

async function signsIn(home: string, username: string, password: string): Promise<boolean> {
  const clock = () => new Date()
  await using db = await openDatabase({ file: join(home, 'data/satchel.db') }, { clock })
  const users = createUsers({ db, bus: createMemoryBus(), passwords: createPasswords(), clock })
  return (await users.prove(username, password)) !== null
}
