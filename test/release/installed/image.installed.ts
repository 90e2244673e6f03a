import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { version } from '../../../package.json'
import { HOME } from '../../../src/server/entries/entries.ts'
import { tryServer, untilServing } from '../try-server.ts'
import { made } from './made.ts'

setDefaultTimeout(300_000)

const work = mkdtempSync(join(tmpdir(), 'satchel-image-'))
const image = made('-image.tar')
const bundle = join(work, 'bundle')
const PORT = '18081'
const Inspected = z.object({ Architecture: z.string(), Labels: z.record(z.string(), z.string()), Layers: z.array(z.string()) })
const Mount = z.looseObject({ destination: z.string() })
const Bundle = z.looseObject({
  process: z.looseObject({ args: z.array(z.string()), user: z.object({ uid: z.number(), gid: z.number() }) }),
  root: z.looseObject({ path: z.string() }),
  mounts: z.array(Mount),
  linux: z.looseObject({ namespaces: z.array(z.looseObject({ type: z.string() })) }),
})

afterAll(() => rmSync(work, { recursive: true }))

describe('the image', () => {
  it.each(['amd64', 'arm64'])('is one for %s too', (architecture) => {
    const args = ['--override-arch', architecture, 'inspect', `oci-archive:${image}`]
    const inspected = z.parse(Inspected, JSON.parse(execFileSync('skopeo', args, { encoding: 'utf8' })))
    expect([inspected.Architecture, inspected.Labels['org.opencontainers.image.version'], inspected.Layers.length]).toEqual([
      architecture,
      version,
      3,
    ])
  })

  it('can be read in the way of docker load', () => {
    const args = ['copy', '--insecure-policy', '--quiet', `docker-archive:${image}:satchel:${version}`, `dir:${join(work, 'docker')}`]
    execFileSync('skopeo', args.toSpliced(0, 2, '--insecure-policy', 'copy'))
    expect(existsSync(join(work, 'docker/manifest.json'))).toBe(true)
  })
})

describe('a container', () => {
  beforeAll(() => {
    const copied = `oci:${join(work, 'oci')}:${version}`
    execFileSync('skopeo', ['--insecure-policy', '--override-arch', 'amd64', 'copy', '--quiet', `oci-archive:${image}`, copied])
    execFileSync('umoci', ['unpack', '--image', `${join(work, 'oci')}:${version}`, bundle], { stdio: 'ignore' })
    restrict()
  }, 300_000)

  it('works as user 1000 with a read-only root file system', async () => {
    const child = Bun.spawn(['runc', 'run', '--bundle', bundle, 'satchel-release-test'], { stdout: 'pipe', stderr: 'inherit' })
    try {
      await tryServer(await untilServing(child.stdout))
      expect(inContainer('satchel', 'health', '--port', PORT)).toBe('OK\n')
      expect(
        inContainer('sh', '-c', 'id -u; touch /x 2>&1; touch /usr/lib/satchel/x 2>&1; grep NoNewPrivs /proc/self/status').split('\n'),
      ).toEqual(['1000', 'touch: /x: Read-only file system', 'touch: /usr/lib/satchel/x: Read-only file system', 'NoNewPrivs:\t1', ''])
    } finally {
      execFileSync('runc', ['kill', 'satchel-release-test', 'TERM'])
      await child.exited
    }
    expect(existsSync(join(work, 'srv/red.png'))).toBe(true)
  })

  it('takes over the accounts of File Browser after its first start', async () => {
    forgetData()
    writeOldDatabase('data/old.db')
    await using _ = await serve()
    expect(inContainer('satchel', 'migrate', '/data/old.db', '--root', '/srv')).toContain('accounts: 12 moved')
    expect(await signInStatus()).toBe(200)
  })

  it('takes them over before its first start too, is backed up while it runs, and restored while it is stopped', async () => {
    forgetData()
    writeOldDatabase('old.db')
    const copy = { destination: '/old.db', type: 'bind', source: join(work, 'old.db'), options: ['bind', 'ro'] }
    expect(runOnce(['migrate', '/old.db', '--root', '/srv'], [copy])).toContain('accounts: 12 moved')
    {
      await using _ = await serve()
      expect(await signInStatus(2)).toBe(200)
      inContainer('satchel', 'backup', '/data/satchel.tgz')
      inContainer('satchel', 'users', 'rm', 'user-0002')
      expect(await signInStatus(2)).toBe(403)
    }
    runOnce(['restore', '--force', '/data/satchel.tgz'])
    await using _ = await serve()
    expect(await signInStatus(2)).toBe(200)
  })
})

/** As before the first start; files of people stay. */
function forgetData(): void {
  rmSync(join(work, 'srv/.satchel/installed'), { force: true })
  rmSync(join(work, 'data'), { recursive: true })
  mkdirSync(join(work, 'data'))
  chownSync(join(work, 'data'), 1000, 1000)
}

/** One of File Browser, which user 1000 can read. */
function writeOldDatabase(path: string): void {
  const old = join(HOME, 'test/cli/fixtures/file-browser/file-browser-small.db.gz')
  writeFileSync(join(work, path), Bun.gunzipSync(readFileSync(old)), { mode: 0o644 })
}

/** The container, running until it is disposed of. */
async function serve(): Promise<AsyncDisposable> {
  const child = Bun.spawn(['runc', 'run', '--bundle', bundle, 'satchel-release-test'], { stdout: 'pipe', stderr: 'inherit' })
  let said = ''
  for await (const chunk of child.stdout) {
    said += new TextDecoder().decode(chunk)
    if (said.includes('Satchel serves')) break
  }
  return {
    async [Symbol.asyncDispose]() {
      execFileSync('runc', ['kill', 'satchel-release-test', 'TERM'])
      await child.exited
    },
  }
}

/** As `docker compose run --rm satchel …`. @returns what it said */
function runOnce(args: readonly string[], mounts: readonly z.infer<typeof Mount>[] = []): string {
  const config = z.parse(Bundle, JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8')))
  const once = mkdtempSync(join(work, 'once-'))
  const [program = ''] = config.process.args
  const changed = {
    ...config,
    process: { ...config.process, args: [program, ...args] },
    root: { ...config.root, path: join(bundle, config.root.path) },
    mounts: [...config.mounts, ...mounts],
  }
  writeFileSync(join(once, 'config.json'), JSON.stringify(changed))
  return execFileSync('runc', ['run', '--bundle', once, 'satchel-release-once'], { encoding: 'utf8' })
}

/** Of an account that was moved. */
async function signInStatus(number = 1): Promise<number> {
  const body = JSON.stringify({ username: `user-000${number}`, password: `password-${number}` })
  return (await fetch(`http://127.0.0.1:${PORT}/api/login`, { method: 'POST', body })).status
}

/** As compose.yaml restricts it, with folders of the test and the network of this machine. */
function restrict(): void {
  for (const name of ['srv', 'data']) {
    mkdirSync(join(work, name))
    chownSync(join(work, name), 1000, 1000)
  }
  const file = join(bundle, 'config.json')
  const config = z.parse(Bundle, JSON.parse(readFileSync(file, 'utf8')))
  expect(config.process.user).toEqual({ uid: 1000, gid: 1000 })
  const capabilities = { bounding: [], effective: [], permitted: [], inheritable: [], ambient: [] }
  const volume = (name: string) => ({ destination: `/${name}`, type: 'bind', source: join(work, name), options: ['rbind', 'rw'] })
  const ours = ['/srv', '/data', '/tmp']
  const changed = {
    ...config,
    process: { ...config.process, terminal: false, noNewPrivileges: true, capabilities, args: [...config.process.args, '--port', PORT] },
    root: { ...config.root, readonly: true },
    mounts: [
      ...config.mounts.filter(({ destination }) => !ours.includes(destination) && !destination.startsWith('/etc/')),
      volume('srv'),
      volume('data'),
      { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'noexec', 'mode=1777'] },
    ],
    linux: { ...config.linux, namespaces: config.linux.namespaces.filter(({ type }) => type !== 'network') },
  }
  writeFileSync(file, JSON.stringify(changed))
}

function inContainer(...command: string[]): string {
  return execFileSync('runc', ['exec', 'satchel-release-test', ...command], { encoding: 'utf8' })
}
