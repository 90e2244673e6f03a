import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { writeOldDatabase } from '../../tools/switch/old-database.ts'
import { createTestInstall, type TestInstall } from './satchel.ts'

setDefaultTimeout(60_000)

const [ACCOUNTS, LINKS] = [12, 300]

describe('the report of a move', () => {
  it('names links that do not open, the right that their owners lack and what to do, also in a trial', async () => {
    const { install, password } = await withFiles()
    writeOldDatabase(join(install.home, 'old.db'), {
      users: [
        { id: 1, username: 'root', password, scope: '/' },
        { id: 2, username: 'ann', password, scope: '/', perm: { share: false } },
        { id: 3, username: 'bob', password, scope: '/', perm: { share: false, download: false } },
      ],
      shares: [
        { hash: 'openlink', path: '/a.txt', userID: 1, expire: 0 },
        { hash: 'annlink1', path: '/a.txt', userID: 2, expire: 0 },
        { hash: 'annlink2', path: '/docs', userID: 2, expire: 0 },
        { hash: 'boblink1', path: '/a.txt', userID: 3, expire: 0 },
      ],
    })
    for (const args of [['--dry-run'], []]) {
      const { out } = await install.satchel(['migrate', 'old.db', '--root', 'files', ...args])
      expect(out).toContain('links: 4 moved\n')
      expect(out).toContain(
        '2 moved, but answering 404: its owner may not share; satchel users update ann --perm.share\n  annlink1 annlink2\n' +
          '1 moved, but answering 404: its owner may not share and download; satchel users update bob --perm.share --perm.download\n  boblink1\n',
      )
    }
    await using server = await install.serve(['--root', 'files'])
    const status = async (hash: string) => (await fetch(`${server.url}api/public/dl/${hash}`)).status
    expect([await status('openlink'), await status('annlink1'), await status('boblink1')]).toEqual([200, 404, 404])
    await install.ask(['users', 'update', 'ann', '--perm.share'])
    await install.ask(['users', 'update', 'bob', '--perm.share', '--perm.download'])
    expect([await status('annlink1'), await status('boblink1')]).toEqual([200, 200])
  })

  it('works where the old server was started, whose configuration names the old database', async () => {
    const { install, password } = await withFiles()
    writeOldDatabase(join(install.home, 'filebrowser.db'), { users: [{ id: 1, username: 'root', password, scope: '/' }], shares: [] })
    await writeFile(join(install.home, '.filebrowser.json'), JSON.stringify({ database: 'filebrowser.db', root: 'files' }))
    const before = await readFile(join(install.home, 'filebrowser.db'))
    const args = ['migrate', 'filebrowser.db', '--root', 'files']
    expect(await install.satchel([...args, '--dry-run'])).toMatchObject({ code: 0, out: expect.stringContaining('accounts: 1 moved') })
    const database = join(install.home, 'data/satchel.db')
    expect((await install.satchel([...args, '--write-config', '.satchel.json'])).code).toBe(0)
    expect(JSON.parse(await readFile(join(install.home, '.satchel.json'), 'utf8'))).toEqual({ root: join(install.home, 'files'), database })
    expect(await install.ask(['users', 'ls'])).toMatchObject([{ username: 'root' }])
    expect(await readFile(join(install.home, 'filebrowser.db'))).toEqual(before)
    await rm(join(install.home, '.satchel.json'))
    const named = await install.satchel([...args, '--database', 'filebrowser.db'])
    expect([named.code, named.complaints]).toEqual([1, expect.stringContaining('is a database of File Browser')])
    expect((await install.satchel(args, { FB_DATABASE: 'filebrowser.db' })).out).toContain('"database"')
  })

  it('says where to put the options of the old server: into the file that is read, and never into that of the old server', async () => {
    const { install, password } = await withFiles()
    writeOldDatabase(join(install.home, 'old.db'), { users: [{ id: 1, username: 'root', password, scope: '/' }], shares: [] })
    const place = async (name: string) => {
      await writeFile(join(install.home, name), JSON.stringify({ port: '8090' }))
      const { out } = await install.satchel(['migrate', 'old.db', '--root', 'files'])
      return /put them into (.*):$/m.exec(out)?.[1]
    }
    const usual = `a configuration file such as ${install.home}/.satchel.json`
    expect([await place('.filebrowser.json'), await place('.satchel.yaml')]).toEqual([usual, join(install.home, '.satchel.yaml')])
  })

  it('puts no name into a command that a shell would take for something else', async () => {
    const { install, password } = await withFiles()
    const names = ['root', '$(touch gone)', '2', '-x']
    writeOldDatabase(join(install.home, 'old.db'), {
      users: names.map((username, at) => ({ id: at + 1, username, password, scope: '/', perm: { share: at === 0 } })),
      shares: names.map((_, at) => ({ hash: `link000${at + 1}`, path: '/a.txt', userID: at + 1, expire: 0 })),
    })
    const { out } = await install.satchel(['migrate', 'old.db', '--root', 'files', '--dry-run'])
    for (const [at, name] of names.entries())
      if (at > 0) expect(out).toContain(`its owner ${JSON.stringify(name)} may not share; satchel users update ${at + 1} --perm.share\n`)
  })

  it('groups what is left out by its reason, shows the first few, and writes the rest to --report', async () => {
    const { install, password } = await withFiles()
    const shares = Array.from({ length: LINKS }, (_, n) => ({
      hash: `link${String(n).padStart(4, '0')}`,
      path: n % 2 === 0 ? '/a.txt' : `/gone ${n}`,
      userID: 1,
      expire: 0,
    }))
    writeOldDatabase(join(install.home, 'old.db'), { users: [{ id: 1, username: 'root', password, scope: '/' }], shares })
    const { out } = await install.satchel(['migrate', 'old.db', '--root', 'files', '--dry-run', '--report', 'report.txt'])
    expect(out.split('\n').length).toBeLessThan(40)
    expect(out).toContain('150 left out: what it leads to is missing, or hidden from its owner\n  link0001  root  "/gone 1"\n')
    expect(out).toContain('… and 145 more; --report writes all of them to a file')
    expect(out).not.toContain('WARNING')
    const whole = await readFile(join(install.home, 'report.txt'), 'utf8')
    for (const { hash, path } of shares.filter((_, n) => n % 2 === 1)) expect(whole).toContain(`${hash}  root  "${path}"`)
    expect((await stat(join(install.home, 'report.txt'))).mode & 0o777).toBe(0o600)
    expect((await install.satchel(['migrate', 'none.db', '--root', 'files'])).complaints).toContain('there is no file')
    for (const run of ['first', 'second'])
      expect([run, (await install.satchel(['migrate', 'old.db', '--root', 'files'])).out]).toEqual([
        run,
        expect.not.stringContaining('WARNING'),
      ])
    await rm(join(install.home, 'data'), { recursive: true })
    for (const place of ['files/report.txt', 'nowhere/report.txt']) {
      expect((await install.satchel(['migrate', 'old.db', '--root', 'files', '--report', place])).code).toBe(1)
      expect(existsSync(join(install.home, 'data'))).toBe(false)
    }
  })

  it('says that --root is probably wrong where most links and folders of people are missing, and what the old server served', async () => {
    const { install, password } = await withFiles()
    await mkdir(join(install.home, 'wrong'))
    const users = Array.from({ length: ACCOUNTS }, (_, n) => ({ id: n + 1, username: `user${n}`, password, scope: `/home${n}` }))
    const shares = users.map(({ id, username }) => ({ hash: `of-${username}`, path: '/a.txt', userID: id, expire: 0 }))
    for (const { scope } of users) {
      await mkdir(join(install.home, 'files', scope))
      await writeFile(join(install.home, 'files', scope, 'a.txt'), 'content')
    }
    writeOldDatabase(join(install.home, 'old.db'), { users, shares, root: '/srv/people' })
    const tried = (root: string) => install.satchel(['migrate', 'old.db', '--root', root, '--dry-run'])
    expect((await tried('files')).out).not.toContain('WARNING')
    expect((await tried('missing')).complaints).toContain('missing is not a folder')
    const { out } = await tried('wrong')
    expect(out).toContain(
      `WARNING: --root is probably wrong: 12 of 12 links lead to nothing below ${join(install.home, 'wrong')}, and 12 of 12 accounts have no folder ` +
        'there. Name what was /srv/people for the old server, as this machine names it.\n',
    )
    expect(out.split('\n').length).toBeLessThan(40)
  })

  it('shows the first reasons why nothing was moved, and how many more there are', async () => {
    const { install } = await withFiles()
    const users = Array.from({ length: 500 }, (_, n) => ({ id: n + 1, username: `user${n}`, password: 'no hash', scope: '/' }))
    writeOldDatabase(join(install.home, 'old.db'), { users, shares: [] })
    const { code, complaints } = await install.satchel(['migrate', 'old.db', '--root', 'files'])
    expect([code, complaints]).toEqual([1, expect.stringContaining('… and 480 more')])
    expect(complaints.split('\n').length).toBeLessThan(30)
  })
})

async function withFiles(): Promise<{ install: TestInstall; password: string }> {
  const install = await createTestInstall()
  await mkdir(join(install.home, 'files/docs'))
  await writeFile(join(install.home, 'files/a.txt'), 'content')
  return { install, password: await Bun.password.hash('correct horse', { algorithm: 'bcrypt', cost: 4 }) }
}
