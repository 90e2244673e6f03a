import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { createTestInstall, type TestInstall } from './satchel.ts'

// Databases and hashes, several a test, on a machine that may be busy.
setDefaultTimeout(30_000)

describe('a command', () => {
  it('never creates a database by accident, and names the path it used', async () => {
    const { satchel, home } = await createTestInstall()
    for (const command of [
      ['users', 'ls'],
      ['config', 'cat'],
      ['-d', 'other.db', 'rules', 'ls'],
    ]) {
      const { code, complaints } = await satchel(command)
      expect([code, complaints]).toEqual([1, expect.stringContaining('there is no database at /')])
    }
    expect([existsSync(join(home, 'data')), existsSync(join(home, 'other.db'))]).toEqual([false, false])
  })

  it('reports in one line why a database cannot be used: not a path, not a database, or from a newer version', async () => {
    const { satchel, home } = await withDatabase()
    const complaint = async (file: string): Promise<string> => (await satchel(['-d', file, 'users', 'ls'])).complaints
    await writeFile(join(home, 'text.db'), 'no database at all, but long enough to be looked at')
    expect(await complaint('text.db')).toBe(`satchel: ${join(home, 'text.db')} is not a database of this program\n`)
    expect(await complaint('/dev')).toContain('satchel: /dev cannot be written (EISDIR)')
    const { Database } = await import('bun:sqlite')
    using db = new Database(join(home, 'data/satchel.db'))
    db.run("INSERT INTO migrations VALUES ('9999-from-the-future', 1)")
    expect(await complaint('data/satchel.db')).toContain('satchel: the database is newer than this program')
  })

  it('that was mistyped suggests the nearest name', async () => {
    const { satchel } = await createTestInstall()
    const complaints = async (...args: string[]): Promise<string> => (await satchel(args)).complaints
    expect(await complaints('user', 'ls')).toBe('satchel: unknown command user; did you mean users?\n')
    expect(await complaints('users', 'updat', 'x')).toBe('satchel: unknown command users updat; did you mean users update?\n')
    expect(await complaints('users', 'add', 'x', '--lockPasswrd')).toContain('did you mean --lockPassword?')
    expect(await complaints('users', 'find')).toContain('something is missing')
  })

  it('explains itself', async () => {
    const { satchel } = await createTestInstall()
    const { code, out } = await satchel(['users', 'update', '--help'])
    expect(code).toBe(0)
    for (const text of ['satchel users update <id|name>', '--perm.admin', '-p, --password', '-d, --database']) expect(out).toContain(text)
    expect((await satchel(['cmds'])).out).toContain('satchel cmds add <event> <command>')
  })
})

describe('groups', () => {
  it('are made, filled, given roles, and removed with them', async () => {
    const { satchel } = await withDatabase()
    await satchel(['users', 'add', 'ann', 'correct horse battery'])
    expect((await satchel(['groups', 'add', 'Team', '--perm', 'create,download'])).out).toContain('create download')
    expect((await satchel(['groups', 'add', 'team'])).code).toBe(1)
    expect((await satchel(['groups', 'add', 'Other', '--perm', 'publish'])).complaints).toContain('no such right')
    expect((await satchel(['groups', 'members', 'team', '--add', 'ann'])).out).toContain('ann')
    expect((await satchel(['groups', 'grant', '/docs', '--group', 'team', '--rights', 'editor'])).out).toBe('editor on path /docs\n')
    expect((await satchel(['groups', 'grant', '/docs/x', '-g', 'team', '--rights', 'create,rename'])).out).toContain(
      'create,rename on path /docs/x',
    )
    expect((await satchel(['groups', 'grant', '/docs', '--rights', 'all'])).complaints).toContain('neither a role nor a right')
    expect((await satchel(['groups', 'grant', '/docs', '-g', 'team', '--rm'])).out).not.toContain('editor')
    expect((await satchel(['groups', 'members', 'team', '--rm', 'ann'])).out).not.toContain('ann')
    expect((await satchel(['groups', 'rm', 'team'])).out).toBe('removed Team\n')
    expect((await satchel(['groups', 'members', 'team'])).complaints).toContain('there is no group "team"')
  })
})

describe('config init', () => {
  it('creates the database with its settings, once', async () => {
    const { satchel, ask, home } = await createTestInstall()
    const made = await satchel(['config', 'init', '-s', '--branding.name', 'The attic', '--tus.chunkSize=5242880'])
    expect([made.code, made.out]).toEqual([0, expect.stringContaining('The attic')])
    expect((await stat(join(home, 'data/satchel.db'))).mode & 0o777).toBe(0o600)
    expect((await satchel(['config', 'cat'])).out).not.toMatch(/printedPassword|welcome/)
    expect(await ask(['config', 'cat'])).toMatchObject({ signup: true, branding: { name: 'The attic' }, tus: { chunkSize: 5_242_880 } })
    expect((await satchel(['config', 'init'])).complaints).toContain('already')
  })

  it('creates none if one was lost, or with an invalid setting', async () => {
    const { satchel, home } = await createTestInstall()
    for (const wrong of [
      ['--auth.method', 'magic'],
      ['--auth.method', 'proxy'],
      ['--branding.files', 'here'],
      ['--port', '9000'],
    ])
      expect([wrong, (await satchel(['config', 'init', ...wrong])).code]).toEqual([wrong, 1])
    expect(existsSync(join(home, 'data/satchel.db'))).toBe(false)
    await Bun.write(join(home, 'files/.satchel/installed'), '{"database":"/gone"}')
    expect((await satchel(['config', 'init'])).complaints).toContain('--new-database')
    expect((await satchel(['config', 'init', '--new-database'])).code).toBe(0)
  })
})

describe('users', () => {
  it('are created from the defaults with a home folder; the password can come from standard input', async () => {
    const { satchel, run, ask, home } = await withDatabase(['--createUserDir', '--locale', 'de'])
    const added = await run(['users', 'add', 'ann', '--perm.admin'], 'correct horse battery\n')
    expect([added.code, added.complaints]).toEqual([0, ''])
    expect((await satchel(['users', 'add', 'bob', 'correct horse battery'])).complaints).toContain('every user of this machine')
    expect(await ask(['users', 'ls'])).toMatchObject([
      { id: 1, username: 'ann', scope: '/users/ann', locale: 'de', perm: { admin: true } },
      { id: 2, username: 'bob', perm: { admin: false, create: true } },
    ])
    expect((await stat(join(home, 'files/users/bob'))).isDirectory()).toBe(true)
  })

  it('must meet the password policy', async () => {
    const { satchel, run } = await withDatabase()
    expect((await satchel(['users', 'add', 'ann', 'short'])).complaints).toContain('password: shorter than 12 bytes')
    expect((await run(['users', 'add', 'ann'])).complaints).toContain('a password is needed')
    await satchel(['users', 'add', 'ann', 'correct horse battery'])
    expect((await satchel(['users', 'add', 'ANN', 'correct horse battery'])).complaints).toContain('there is an account "ANN" already')
    expect((await satchel(['users', 'ls'])).out).not.toContain('$argon2')
  })

  it('keep fields that an update does not name (the predecessor unlocked passwords)', async () => {
    const { satchel, ask } = await withDatabase()
    await satchel([
      'users',
      'add',
      'bob',
      'correct horse battery',
      '--lockPassword',
      '--hideDotfiles',
      '--dateFormat',
      '--perm.share=false',
    ])
    const { code } = await satchel(['users', 'update', 'bob', '--perm.delete=false', '-u', 'rob'])
    expect(code).toBe(0)
    expect(await ask(['users', 'find', '1'])).toMatchObject([
      { username: 'rob', lockPassword: true, hideDotfiles: true, dateFormat: true, perm: { share: false, delete: false, create: true } },
    ])
    expect((await satchel(['users', 'update', 'rob'])).complaints).toContain('nothing to change was given')
  })

  it('always leave an administrator', async () => {
    const { satchel, ask } = await withDatabase()
    await satchel(['users', 'add', 'ann', 'correct horse battery', '--perm.admin'])
    for (const args of [
      ['rm', 'ann'],
      ['disable', 'ann'],
      ['update', 'ann', '--perm.admin=false'],
    ])
      expect([args, (await satchel(['users', ...args])).complaints]).toEqual([
        args,
        'satchel: no administrator would be left; nothing was changed\n',
      ])
    expect(await ask(['users', 'ls'])).toMatchObject([{ username: 'ann', disabled: false, perm: { admin: true } }])
  })

  it('are removed together or not at all', async () => {
    const { satchel, ask } = await withDatabase()
    await satchel(['users', 'add', 'bob', 'correct horse battery'])
    await satchel(['users', 'add', 'ann', 'correct horse battery', '--perm.admin'])
    for (const action of ['rm', 'disable']) expect([action, (await satchel(['users', action, 'bob', 'ann'])).code]).toEqual([action, 1])
    expect(await ask(['users', 'ls'])).toMatchObject([
      { username: 'bob', disabled: false },
      { username: 'ann', disabled: false },
    ])
    expect(await satchel(['users', 'rm', 'bob', '1'])).toMatchObject({ code: 0, out: 'removed bob\n' })
  })
})

describe('rules and cmds', () => {
  it('are listed, added and removed, global ones and those of a user', async () => {
    const { satchel, ask } = await withDatabase()
    await satchel(['users', 'add', 'bob', 'correct horse battery'])
    await satchel(['rules', 'add', '/a'])
    await satchel(['rules', 'add', '-a', '-r', '^/b'])
    await satchel(['rules', 'add', '/c', '-u', 'bob'])
    expect((await satchel(['rules', 'ls'])).out).toBe('(0) deny path /a\n(1) allow expression ^/b\n')
    expect((await satchel(['rules', '-i', '1', 'ls'])).out).toBe('(0) deny path /c\n')
    expect((await satchel(['rules', 'add', '-r', '['])).complaints).toContain('missing closing ]')
    expect((await satchel(['rules', 'rm', '0', '1'])).out).toBe('no rules\n')
    expect((await satchel(['rules', 'rm', '0'])).complaints).toContain('the list is empty')

    await satchel(['cmds', 'add', 'after_upload', 'echo', '$FILE'])
    expect((await satchel(['cmds', 'ls', '-e', 'after_upload'])).out).toBe('after_upload(0): echo $FILE\n')
    expect((await satchel(['cmds', 'add', 'after_uplod', 'x'])).complaints).toContain('did you mean after_upload?')
    await satchel(['cmds', 'rm', 'after_upload', '0'])
    expect(await ask(['cmds', 'ls', '-e', 'after_upload'])).toEqual({ after_upload: [] })
  })
})

describe('config set', () => {
  it('changes the given settings only, and shows no secret', async () => {
    const { satchel, ask } = await withDatabase(['--branding.name', 'The attic'])
    const changed = await satchel([
      'config',
      'set',
      '--recaptcha.key',
      'site',
      '--recaptcha.secret',
      'hush',
      '--shell',
      '/bin/sh -c',
      '--perm.share=false',
    ])
    expect([changed.code, changed.out]).toEqual([0, expect.not.stringContaining('hush')])
    expect(await ask(['config', 'cat'])).toMatchObject({
      branding: { name: 'The attic' },
      recaptcha: { host: 'https://www.google.com', key: 'site', secret: '(hidden)' },
      shell: ['/bin/sh', '-c'],
      defaults: { perm: { share: false, create: true } },
    })
  })

  it('refuses invalid values, and changes nothing', async () => {
    const { satchel, ask } = await withDatabase()
    for (const args of [
      ['--auth.method', 'magic'],
      ['--auth.method', 'proxy'],
      ['--minimumPasswordLength', '9999'],
      ['--branding.files', 'here'],
    ])
      expect([args, (await satchel(['config', 'set', '-s', ...args])).code]).toEqual([args, 1])
    expect(await ask(['config', 'cat'])).toMatchObject({ signup: false, authMethod: 'json' })
  })

  it('writes options of the server into a file only, keeping its other lines', async () => {
    const { satchel, home } = await withDatabase()
    expect((await satchel(['config', 'set', '-p', '9000'])).complaints).toContain('--write-config FILE')
    await writeFile(join(home, 'my.yaml'), '# ours\nlog: off\nPORT: 1\n')
    expect((await satchel(['config', 'set', '-p', '9000', '--disableThumbnails', '--write-config', 'my.yaml'])).code).toBe(0)
    expect(await readFile(join(home, 'my.yaml'), 'utf8')).toBe('# ours\nlog: off\nport: "9000"\ndisableThumbnails: true\n')
    expect((await satchel(['config', 'explain', 'port', '-c', 'my.yaml'])).out).toContain('port = 9000')
  })
})

async function withDatabase(settings: readonly string[] = []): Promise<TestInstall> {
  const install = await createTestInstall()
  const { code, complaints } = await install.satchel(['config', 'init', ...settings])
  if (code !== 0) throw new Error(complaints)
  return install
}
