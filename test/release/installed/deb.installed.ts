import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { version } from '../../../package.json'
import { type FirstWords, OWN_PASSWORD, signIn, tryServer, untilServing } from '../try-server.ts'
import { made } from './made.ts'

// Makes a Debian root.
setDefaultTimeout(900_000)

const OLD_VERSION = '0.9.0'
const PORT = '18080'
const work = mkdtempSync(join(tmpdir(), 'satchel-deb-'))
const root = join(work, 'root')
const settings = join(root, 'etc/satchel/satchel.yaml')

beforeAll(() => {
  run('debootstrap', '--variant=minbase', '--include=adduser', 'bookworm', root, 'http://deb.debian.org/debian')
  run('mount', '-t', 'proc', 'proc', join(root, 'proc'))
}, 900_000)

afterAll(() => {
  spawnSync('umount', [join(root, 'proc')])
  rmSync(work, { recursive: true })
})

describe('the Debian package in a fresh root', () => {
  it('is packed so that dpkg of Debian 11 can read it', () => {
    const names = execFileSync('ar', ['t', made('_amd64.deb', 'satchel_')], { encoding: 'utf8' })
    expect(names).toBe('debian-binary\ncontrol.tar.xz\ndata.tar.xz\n')
  })

  it('installs, and its user can serve', async () => {
    copyFileSync(olderPackage(), join(root, 'old.deb'))
    copyFileSync(made('_amd64.deb', 'satchel_'), join(root, 'new.deb'))
    inRoot('dpkg', '-i', '/old.deb')
    expect(inRoot('dpkg-query', '-W', '-f=${Version}', 'satchel')).toBe(OLD_VERSION)
    expect(inRoot('stat', '-c', '%U %a', '/srv/satchel', '/var/lib/satchel')).toBe('satchel 750\nsatchel 750\n')
    await using server = serveAs('satchel')
    await tryServer(await server.words)
  })

  it('keeps configuration, accounts and files when it is upgraded', async () => {
    appendFileSync(settings, '# mine\n')
    inRoot('dpkg', '-i', '/new.deb')
    expect(inRoot('satchel', '--version')).toBe(`Satchel v${version}\n`)
    expect(readFileSync(settings, 'utf8')).toContain('# mine')
    await using server = serveAs('satchel')
    await signIn({ ...(await server.words), password: OWN_PASSWORD })
    expect(existsSync(join(root, 'srv/satchel/red.png'))).toBe(true)
  })

  it('keeps data when it is removed, and deletes everything but served files when it is purged', () => {
    inRoot('dpkg', '--remove', 'satchel')
    expect([existsSync(settings), existsSync(join(root, 'var/lib/satchel/satchel.db'))]).toEqual([true, true])
    inRoot('dpkg', '--purge', 'satchel')
    const left = ['etc/satchel', 'var/lib/satchel', 'var/cache/satchel', 'usr/lib/satchel', 'usr/bin/satchel'].filter((path) =>
      existsSync(join(root, path)),
    )
    expect([left, existsSync(join(root, 'srv/satchel/red.png'))]).toEqual([[], true])
    expect(spawnSync('chroot', [root, 'id', 'satchel']).status).not.toBe(0)
  })

  it('starts anew when it is installed after a purge, on the files of before', async () => {
    inRoot('dpkg', '-i', '/new.deb')
    inRoot('chown', '-R', 'satchel:satchel', '/srv/satchel')
    await using server = serveAs('satchel')
    const { password } = await server.words
    expect([password === '', existsSync(join(root, 'srv/satchel/red.png'))]).toEqual([false, true])
  })
})

/** The same package, called older. */
function olderPackage(): string {
  const folder = join(work, 'older')
  run('dpkg-deb', '-R', made('_amd64.deb', 'satchel_'), folder)
  const control = join(folder, 'DEBIAN/control')
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, `Version: ${OLD_VERSION}`))
  run('dpkg-deb', '--root-owner-group', '-Znone', '-b', folder, join(work, 'old.deb'))
  return join(work, 'old.deb')
}

function serveAs(user: string): { words: Promise<FirstWords> } & AsyncDisposable {
  const command = [
    'chroot',
    root,
    'setpriv',
    `--reuid=${user}`,
    `--regid=${user}`,
    '--clear-groups',
    '--no-new-privs',
    'satchel',
    '--port',
    PORT,
  ]
  const child = Bun.spawn(command, { env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' }, stdout: 'pipe', stderr: 'inherit' })
  return {
    words: untilServing(child.stdout),
    async [Symbol.asyncDispose]() {
      child.kill()
      await child.exited
    },
  }
}

function inRoot(...command: string[]): string {
  const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', DEBIAN_FRONTEND: 'noninteractive' }
  return execFileSync('chroot', [root, ...command], { encoding: 'utf8', env })
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}
