import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { version } from '../../package.json'
import { makeDeb } from '../../scripts/release/deb.ts'
import { compile } from '../../scripts/release/executable.ts'
import { makeTree, type Tree } from '../../scripts/release/tree.ts'
import { HOME } from '../../src/server/entries/entries.ts'
import { tryServer, untilServing } from './try-server.ts'

// Copies, packs and compiles some 150 MB.
setDefaultTimeout(600_000)

/** The packages of this machine serve for its own target. */
const TARGET = process.arch === 'arm64' ? 'linux-arm64' : 'linux-x64'
const work = mkdtempSync(join(tmpdir(), 'satchel-release-'))
const executable = join(work, 'satchel')
/** Where the Debian package is unpacked to. */
const root = join(work, 'root')
let tree: Tree

beforeAll(async () => {
  tree = { ...makeTree(TARGET, join(work, 'tree'), join(HOME, 'node_modules')), runtime: join(HOME, 'node_modules/bun/bin/bun.exe') }
  await compile(tree, executable, { level: 1 })
}, 600_000)

afterAll(() => rmSync(work, { recursive: true, force: true }))

it('the built programs do not depend on the folder they were built in', () => {
  const built = join(tree.folder, 'dist')
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(built, name)).isFile())
  expect(files.length).toBeGreaterThan(50)
  expect(files.filter((name) => readFileSync(join(built, name)).includes(HOME))).toEqual([])
})

describe('the executable', () => {
  it('needs nothing but itself, and unpacks once', async () => {
    const place = newPlace()
    expect(await run(place, ['--version'])).toEqual({ code: 0, out: `Satchel v${version}\n`, complaints: '' })
    const [program = ''] = readdirSync(join(place.cache, 'satchel'))
    const unpacked = join(place.cache, 'satchel', program)
    const before = statSync(unpacked).ctimeMs
    expect((await run(place, ['--version'])).code).toBe(0)
    expect([readdirSync(join(place.cache, 'satchel')), statSync(unpacked).ctimeMs]).toEqual([[program], before])
  })

  it('A19: runs and reads nothing of the current folder', async () => {
    const place = newPlace()
    const ran = join(place.home, 'ran')
    writeFileSync(join(place.home, 'run.ts'), `require('node:fs').writeFileSync(${JSON.stringify(ran)}, '')`)
    writeFileSync(join(place.home, 'bunfig.toml'), 'preload = ["./run.ts"]\n')
    writeFileSync(join(place.home, '.env'), 'SATCHEL_PORT=nonsense\nBUN_OPTIONS=--preload=./run.ts\n')
    expect((await run(place, ['config', 'explain', 'port'])).out).toContain('8080')
    expect(existsSync(ran)).toBe(false)
  })

  it('serves: page, sign-in, upload, list, download, thumbnail, archive', async () => {
    const place = newPlace()
    mkdirSync(join(place.home, 'files'))
    const child = Bun.spawn([executable, '--port', '0'], { cwd: place.home, env: environment(place), stdout: 'pipe', stderr: 'inherit' })
    try {
      await tryServer(await untilServing(child.stdout))
    } finally {
      child.kill()
      await child.exited
    }
  })
})

describe('the Debian package', () => {
  const read = (name: string): string => readFileSync(join(root, name), 'utf8')

  beforeAll(() => {
    const name = makeDeb(tree, { target: TARGET, out: work, time: new Date(1_700_000_000_000), compression: 'none' })
    execFileSync('dpkg-deb', ['-R', join(work, name), root])
  }, 600_000)

  it('holds the program, its settings as a configuration file, a unit and scripts', () => {
    expect(read('DEBIAN/control')).toMatch(new RegExp(`^Version: ${version}$`, 'm'))
    expect(read('DEBIAN/conffiles')).toBe('/etc/satchel/satchel.yaml\n')
    expect(read('usr/lib/systemd/system/satchel.service')).toContain('ExecStart=/usr/bin/satchel\n')
    for (const script of ['postinst', 'prerm', 'postrm']) execFileSync('sh', ['-n', join(root, 'DEBIAN', script)])
  })

  it('holds the guides, at the places that its README names', () => {
    const names = read('usr/share/doc/satchel/README.md').match(/docs\/(?:install|first-hour|migrate)\.md/g) ?? []
    expect(new Set(names).size).toBe(3)
    for (const name of names) expect(read(`usr/share/doc/satchel/${name}`)).toMatch(/^# /)
  })

  it('holds the licences of everything inside', () => {
    const text = read('usr/share/doc/satchel/THIRD-PARTY-LICENSES')
    // The runtime, a package, a part of the server's build and one of the web's.
    for (const name of ['@oven/bun-linux-', 'sharp ', 'kysely ', 'react ']) expect(text).toContain(`\n${name}`)
    expect(text).toContain('GNU LESSER GENERAL PUBLIC LICENSE')
    expect(read('usr/lib/satchel/THIRD-PARTY-LICENSES')).toBe(text)
  })

  it('starts the program where it was installed', async () => {
    const { home } = newPlace()
    // The starter names absolute paths; the root of the test stands before them.
    const starter = read('usr/bin/satchel').replaceAll(' /usr/lib/satchel', ` ${root}/usr/lib/satchel`)
    const child = Bun.spawn(['sh', '-c', starter, 'satchel', '--version'], {
      cwd: home,
      env: { PATH: '/usr/bin:/bin', SATCHEL_CONFIG: '' },
      stdout: 'pipe',
    })
    expect(await new Response(child.stdout).text()).toBe(`Satchel v${version}\n`)
  })

  it('can be written again with the same bytes', () => {
    const [first, second] = [0, 1].map(() => {
      const name = makeDeb(tree, { target: TARGET, out: work, time: new Date(1_700_000_000_000), compression: 'none' })
      return createHash('sha256')
        .update(readFileSync(join(work, name)))
        .digest('hex')
    })
    expect(second).toBe(first ?? '')
  })
})

interface Place {
  readonly home: string
  readonly cache: string
}

function newPlace(): Place {
  const home = mkdtempSync(join(work, 'home-'))
  return { home, cache: join(home, 'cache') }
}

function environment({ home, cache }: Place): Record<string, string> {
  return { PATH: '/usr/bin:/bin', HOME: home, XDG_CACHE_HOME: cache }
}

async function run(place: Place, args: readonly string[], more: Record<string, string> = {}) {
  const child = Bun.spawn([executable, ...args], {
    cwd: place.home,
    env: { ...environment(place), ...more },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, complaints, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  return { code, out, complaints }
}
