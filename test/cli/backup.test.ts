import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { createTestInstall, type TestInstall } from './satchel.ts'

setDefaultTimeout(60_000)

describe('backup and restore', () => {
  it('transfer accounts, settings and branding in one file, readable by its owner only', async () => {
    const install = await withPeople()
    await mkdir(join(install.home, 'brand/icons'), { recursive: true })
    await writeFile(join(install.home, 'brand/custom.css'), 'body {}')
    await writeFile(join(install.home, 'brand/icons/icon.svg'), '<svg/>')
    await install.satchel(['config', 'set', '--branding.name', 'The attic', '--branding.files', join(install.home, 'brand')])
    expect(await install.satchel(['backup', 'kept.tgz'])).toMatchObject({ code: 0, complaints: '' })
    expect((await stat(join(install.home, 'kept.tgz'))).mode & 0o777).toBe(0o600)
    expect((await readdir(install.home)).toSorted()).toEqual(['brand', 'data', 'files', 'kept.tgz'])

    const other = await createTestInstall()
    await writeFile(join(other.home, 'kept.tgz'), await readFile(join(install.home, 'kept.tgz')))
    await rm(join(install.home, 'brand'), { recursive: true })
    const { code, out, complaints } = await other.satchel(['restore', 'kept.tgz'])
    expect([code, out]).toEqual([0, expect.stringContaining('everybody signs in anew')])
    expect(complaints).toBe(`satchel: the branding is in ${join(other.home, 'data/branding')} now\n`)
    expect(await readFile(join(other.home, 'data/branding/icons/icon.svg'), 'utf8')).toBe('<svg/>')
    expect(await other.ask(['users', 'ls'])).toMatchObject([{ username: 'root' }, { username: 'ann' }])
    expect(await other.ask(['config', 'cat'])).toMatchObject({ branding: { name: 'The attic', files: join(other.home, 'data/branding') } })
    expect(await readdir(join(other.home, 'data'))).toEqual(expect.arrayContaining(['branding', 'satchel.db']))
    expect((await stat(join(other.home, 'data/satchel.db'))).mode & 0o777).toBe(0o600)
  })

  it('never replace a database without --force, which keeps the old one', async () => {
    const { satchel, ask, home } = await withPeople()
    await satchel(['backup', 'kept.tgz'])
    await satchel(['users', 'rm', 'ann'])
    expect((await satchel(['restore', 'kept.tgz'])).complaints).toContain('--force')
    expect(await ask(['users', 'ls'])).toMatchObject([{ username: 'root' }])
    expect((await satchel(['restore', 'kept.tgz', '--force'])).complaints).toContain('satchel.db.before-restore')
    expect(await ask(['users', 'ls'])).toMatchObject([{ username: 'root' }, { username: 'ann' }])
    expect(await ask(['-d', join(home, 'data/satchel.db.before-restore'), 'users', 'ls'])).toMatchObject([{ username: 'root' }])
  })

  it('refuse an incomplete backup, and leave nothing behind', async () => {
    const { satchel, home, ask } = await withPeople()
    await satchel(['backup', 'kept.tgz'])
    const whole = await readFile(join(home, 'kept.tgz'))
    await writeFile(join(home, 'cut.tgz'), whole.subarray(0, whole.length - 200))
    await writeFile(join(home, 'text.tgz'), 'nothing of the kind')
    inShell(home, 'mkdir evil && cd evil && tar xzf ../kept.tgz && printf x >> satchel.db && tar czf ../changed.tgz *')
    const slip = 'tar czPf ../slip.tgz --transform s,branding/x,branding/../../slipped, satchel-backup.json satchel.db branding/x'
    inShell(join(home, 'evil'), `mkdir branding && touch branding/x && ${slip}`)
    // The log beside it is SQLite's affair.
    const kept = async () => (await readdir(join(home, 'data'))).filter((name) => !/-(wal|shm)$/.test(name))
    const before = await kept()
    for (const file of ['cut.tgz', 'text.tgz', 'changed.tgz', 'slip.tgz', 'missing.tgz'])
      expect([file, (await satchel(['restore', file, '--force'])).code]).toEqual([file, 1])
    expect(await kept()).toEqual(before)
    expect(await ask(['users', 'ls'])).toMatchObject([{ username: 'root' }, { username: 'ann' }])
    expect((await satchel(['backup', 'files/kept.tgz'])).complaints).toContain('inside the served folder')
    expect((await satchel(['backup', 'nowhere/kept.tgz'])).complaints).toContain('there is no folder')
  })

  it('while the server runs, allow a backup and refuse a restore', async () => {
    const { run, serve } = await withPeople()
    {
      await using _server = await serve()
      expect(await run(['backup', 'kept.tgz'])).toMatchObject({ code: 0, complaints: '' })
      expect(await run(['restore', 'kept.tgz', '--force'])).toMatchObject({
        code: 1,
        complaints: expect.stringContaining('stop the server first'),
      })
    }
    expect((await run(['restore', 'kept.tgz', '--force'])).code).toBe(0)
  })
})

describe('doctor', () => {
  it('finds no problem in a new installation, also as JSON', async () => {
    const { ask } = await withPeople()
    const findings = await ask(['doctor'])
    expect(findings).toEqual(expect.arrayContaining([expect.objectContaining({ about: 'database', standing: 'fine' })]))
    expect(findings).not.toEqual(expect.arrayContaining([expect.objectContaining({ standing: 'problem' })]))
  })

  it('names problems with their solution, and exits with 1', async () => {
    const { satchel, home } = await withPeople()
    await chmod(join(home, 'data'), 0o777)
    await chmod(join(home, 'data/satchel.db'), 0o644)
    await writeFile(join(home, 'broken.pem'), 'no certificate')
    const flags = ['--trustedProxies', '0.0.0.0/0', '--cert', 'broken.pem', '--key', 'broken.pem', '--url', 'files.example.org']
    const { code, out, complaints } = await satchel(['doctor', ...flags])
    expect([code, complaints]).toEqual([1, 'satchel: 5 things are wrong\n'])
    for (const text of ['✗ data folder', 'chmod go-w', '✗ database', 'chmod 600', '✗ network', '✗ TLS', '✗ proxy', '→'])
      expect(out).toContain(text)
  })

  it('R7: reports that a served folder has lost its marker, and the solution', async () => {
    const { satchel, serve, home } = await withPeople()
    await (await serve())[Symbol.asyncDispose]()
    expect((await satchel(['doctor'])).out).not.toContain('mark')
    await rm(join(home, 'files/.satchel/installed'))
    expect(await satchel(['doctor'])).toMatchObject({ code: 1, out: expect.stringMatching(/✗ served folder.*its mark .*is gone/) })
    expect((await satchel(['doctor'])).out).toContain('--new-root')
  })

  it('distinguishes damaged, newer and missing databases', async () => {
    const { satchel, home } = await withPeople()
    const file = join(home, 'data/satchel.db')
    const whole = await readFile(file)
    await writeFile(file, 'this was a database once')
    expect(await satchel(['doctor'])).toMatchObject({ code: 1, out: expect.stringContaining('✗ database') })
    await writeFile(file, whole)
    const { Database } = await import('bun:sqlite')
    using db = new Database(file)
    db.run("INSERT INTO migrations VALUES ('9999-from-the-future', 1)")
    expect(await satchel(['doctor'])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/newer than this program.*9999-from-the-future.*\n.*satchel restore --force/),
    })
    const empty = await createTestInstall()
    expect(await empty.satchel(['doctor'])).toMatchObject({ code: 0, out: expect.stringContaining('the first start makes it') })
  })

  it('asks the running server what a request looks like, which nobody else may', async () => {
    const { run, serve } = await withPeople()
    await using server = await serve()
    const { code, out } = await run(['doctor', '--url', server.url])
    expect([code, out]).toEqual([0, expect.stringContaining('the request came from 127.0.0.1, who is no trusted proxy')])
    const stranger = await fetch(`${server.url}health`, { headers: { 'x-satchel-doctor': 'guessed' } })
    expect(await stranger.text()).toBe('{"status":"OK"}')
  })
})

describe('completion', () => {
  it('of bash offers the commands and flags of the help', async () => {
    const { satchel, home } = await createTestInstall()
    await writeFile(join(home, 'completion.bash'), (await satchel(['completion', 'bash'])).out)
    const offered = async (...words: string[]): Promise<string> => {
      const script = `source completion.bash; COMP_WORDS=(satchel ${words.join(' ')} ''); COMP_CWORD=${words.length}; _satchel; echo "\${COMPREPLY[@]}"`
      return inShell(home, script).trim()
    }
    expect(await offered('us')).toBe('users')
    expect(await offered('rules', 'a')).toBe('add')
    expect(await offered('users', 'add', '--perm.d')).toBe('--perm.delete --perm.download')
    expect(await offered('backup', 'fil')).toBe('files')
    for (const shell of ['zsh', 'fish']) expect((await satchel(['completion', shell])).out).toContain('users')
    expect(await satchel(['completion', 'tcsh'])).toMatchObject({ code: 1, complaints: expect.stringContaining('bash, zsh, fish') })
  })
})

async function withPeople(): Promise<TestInstall> {
  const install = await createTestInstall()
  await install.satchel(['config', 'init'])
  await install.satchel(['users', 'add', 'root', 'correct horse battery', '--perm.admin'])
  await install.satchel(['users', 'add', 'ann', 'correct horse battery'])
  return install
}

/** Bun's own shell asks where the process is, which a test before may have taken away. */
function inShell(cwd: string, script: string): string {
  return execFileSync('bash', ['-c', script], { cwd, encoding: 'utf8' })
}
