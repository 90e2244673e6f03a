import { chown, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mountDisk } from '../contract/disk.ts'
import { makeOldDatabase } from '../upgrades/old-database.ts'
import { makeFiles, signIn, withDatabase } from './old-databases.ts'
import { createTestInstall, type TestInstall } from './satchel.ts'

// Starts servers, on a machine that may be busy.
setDefaultTimeout(120_000)

/** The account of the service; nobody has it here. */
const SERVICE = 4321
const SMALL = { accounts: 12 }
const servers: Bun.Subprocess[] = []

afterEach(stopAll)

describe('commands of root beside a server that runs as another account, as the Debian package sets it up', () => {
  it('migrate takes the place of the first administrator, and the server can use what it wrote', async () => {
    const { install, file } = await withDatabase('file-browser-small', SMALL)
    await asPackaged(install)
    expect(await said(install)).toContain('Sign in as admin')
    const moved = await install.satchel(['migrate', file, '--config', 'etc/satchel.yaml', '--write-config', 'etc/satchel.yaml'])
    expect([moved.code, moved.complaints, moved.out]).toEqual([0, '', expect.stringContaining('settings: moved')])
    expect(moved.out).toContain('accounts: 12 moved')
    expect(moved.out).toContain('the administrator "admin" of the first start')
    expect(await access(install, 'etc/satchel.yaml')).toEqual([0, SERVICE, '640'])
    await stopAll()
    const line = await said(install)
    expect(line).not.toContain('Sign in as')
    await signIn(urlIn(line), 'user-0001', 'password-1')
    expect(await strangers(install)).toEqual([])
  })

  it('migrate into a data folder without a database, and restore over one', async () => {
    const { install, file } = await withDatabase('file-browser-small', SMALL)
    await asPackaged(install)
    for (const args of [
      ['migrate', file],
      ['backup', 'kept.tgz'],
      ['restore', 'kept.tgz', '--force'],
    ])
      expect(await install.satchel([...args, '--config', 'etc/satchel.yaml'])).toMatchObject({ code: 0 })
    expect(await strangers(install)).toEqual([])
    await signIn(urlIn(await said(install)), 'user-0001', 'password-1')
    await stopAll()
    // The server that has been here wrote a log, which went with the old database.
    expect((await install.satchel(['restore', 'kept.tgz', '--force', '--config', 'etc/satchel.yaml'])).code).toBe(0)
    expect(await said(install)).not.toContain('is missing')
  })

  it('migrate marks linked folders on a disk without birth times, and the server can read the markers', async () => {
    const { install, file } = await withDatabase('file-browser-small', { accounts: 0 })
    using disk = mountDisk('ext4', { home: install.home, at: join(install.home, 'files') })
    await rm(join(disk.folder, 'lost+found'), { recursive: true })
    await makeFiles(install, SMALL.accounts)
    await asPackaged(install)
    expect(await install.satchel(['migrate', file, '--config', 'etc/satchel.yaml'])).toMatchObject({ code: 0 })
    const names = await readdir(disk.folder, { recursive: true })
    expect(names.filter((name) => name.endsWith('.satchel/mark')).length).toBeGreaterThan(0)
    expect(await strangers(install, 'files')).toEqual([])
    const url = urlIn(await said(install))
    const token = await signIn(url, 'user-0001', 'password-1')
    const shares = (await (await fetch(`${url}api/shares`, { headers: { 'x-auth': token } })).json()) as { hash: string; path: string }[]
    const folders = shares.filter(({ path }) => !path.endsWith('.txt'))
    expect(folders.length).toBeGreaterThan(0)
    const visits = await Promise.all(folders.map(async ({ hash }) => (await fetch(`${url}api/public/share/${hash}`)).status))
    expect(visits.filter((status) => status === 200).length).toBeGreaterThan(0)
    expect(visits).not.toContain(404)
    await stopAll()
  })

  it('the folder of a new person, and those above it', async () => {
    const install = await createTestInstall()
    await asPackaged(install)
    const config = ['--config', 'etc/satchel.yaml']
    expect(
      (await install.satchel(['config', 'init', '--createUserDir', '--userHomeBasePath', '/people', '--database', 'data/satchel.db'])).code,
    ).toBe(0)
    expect(await install.satchel(['users', 'add', 'ann', 'correct horse battery', ...config])).toMatchObject({ code: 0 })
    expect([await access(install, 'files/people'), await access(install, 'files/people/ann')]).toEqual([
      [SERVICE, SERVICE, '750'],
      [SERVICE, SERVICE, '750'],
    ])
  })

  it('the backup before an upgrade', async () => {
    const install = await createTestInstall()
    await asPackaged(install)
    const database = join(install.home, 'data/satchel.db')
    await makeOldDatabase({ file: database }, 9)
    for (const name of await readdir(join(install.home, 'data'))) await chown(join(install.home, 'data', name), SERVICE, SERVICE)
    expect((await install.satchel(['users', 'ls', '--config', 'etc/satchel.yaml'])).complaints).toContain('saved as')
    expect(await strangers(install)).toEqual([])
  })
})

it('a first administrator who has chosen a password stays', async () => {
  const { install, file } = await withDatabase('file-browser-small', SMALL)
  await asPackaged(install)
  const line = await said(install)
  const [, printed = ''] = /with the password (\S+)/.exec(line) ?? []
  const token = await signIn(urlIn(line), 'admin', printed)
  const chosen = { what: 'user', which: ['password'], data: { id: 1, password: 'correct horse battery' } }
  const changed = await fetch(`${urlIn(line)}api/users/1`, { method: 'PUT', headers: { 'x-auth': token }, body: JSON.stringify(chosen) })
  expect(changed.status).toBe(200)
  const refused = await install.satchel(['migrate', file, '--config', 'etc/satchel.yaml'])
  expect([refused.code, refused.complaints]).toEqual([1, expect.stringContaining('the id 1 is here "admin"')])
})

async function stopAll(): Promise<void> {
  for (const server of servers.splice(0)) {
    server.kill('SIGKILL')
    await server.exited
  }
}

/** Folders and a configuration file with the owners that the package gives them. */
async function asPackaged({ home }: TestInstall): Promise<void> {
  await Bun.$`chmod 0755 ${home}`
  for (const folder of ['etc', 'data']) await mkdir(join(home, folder))
  await writeFile(join(home, 'etc/satchel.yaml'), `root: ${home}/files\ndataDir: ${home}/data\n`, { mode: 0o640 })
  await chown(join(home, 'etc/satchel.yaml'), 0, SERVICE)
  await Bun.$`chmod 0750 ${home}/data && chown -R ${SERVICE}:${SERVICE} ${home}/data ${home}/files`
}

/** What the server says as the service's account, until it serves. */
async function said({ home, program }: TestInstall): Promise<string> {
  const as = ['setpriv', `--reuid=${SERVICE}`, `--regid=${SERVICE}`, '--clear-groups']
  const command = [...as, ...program, '--config', join(home, 'etc/satchel.yaml'), '--port', '0', '--baseURL', '']
  const child = Bun.spawn(command, { cwd: '/', env: { PATH: process.env.PATH ?? '' }, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  servers.push(child)
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk)
    if (/^Satchel serves .*\n/m.test(text)) return text
  }
  throw new Error(`the server did not start: ${text}`)
}

function urlIn(text: string): string {
  return / at (http:\S+\/)$/m.exec(text)?.[1] ?? ''
}

async function access({ home }: TestInstall, name: string): Promise<[number, number, string]> {
  const { uid, gid, mode } = await stat(join(home, name))
  return [uid, gid, (mode & 0o777).toString(8)]
}

/** What in the folder is not the service's. */
async function strangers(install: TestInstall, folder = 'data'): Promise<string[]> {
  const names = await readdir(join(install.home, folder), { recursive: true })
  const owners = await Promise.all(names.map(async (name) => [name, (await access(install, join(folder, name)))[0]] as const))
  return owners.filter(([, uid]) => uid !== SERVICE).map(([name]) => name)
}
