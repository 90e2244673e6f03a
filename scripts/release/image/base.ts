import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import LOCK from '../../../packaging/image/base.json'
import type { Architecture } from '../targets.ts'

/** The Debian packages that the image is made of (decision 064). `packaging/image/base.json` has their versions; `npm run release:base` renews it. */

/** Of Debian. */
export const SUITE = 'trixie'
/** What the program needs: the C and C++ libraries, the sandbox, and for commands a shell with the usual tools. apt adds what these depend on. */
export const WANTED = ['base-files', 'libc6', 'libgcc-s1', 'libstdc++6', 'bubblewrap', 'busybox']

const Locked = z.object({ name: z.string(), version: z.string(), sha256: z.string() })
export type Locked = z.infer<typeof Locked>

/** @returns the packages of the image for one architecture */
export function lockedPackages(architecture: Architecture): readonly Locked[] {
  return z.parse(z.array(Locked), LOCK[architecture])
}

/**
 * Has the packages in a folder, where they stay for the next time. Throws if Debian does not serve one any more.
 * @returns their files
 */
export function fetchBase(architecture: Architecture, folder: string): string[] {
  mkdirSync(folder, { recursive: true })
  const packages = lockedPackages(architecture)
  const fileOf = ({ name, version }: Omit<Locked, 'sha256'>): string =>
    join(folder, `${name}_${version.replaceAll(':', '%3a')}_${architecture}.deb`)
  const missing = packages.filter((one) => !existsSync(fileOf(one)))
  if (missing.length > 0) {
    using apt = openApt(folder, architecture)
    for (const { fetched, ...one } of apt.download(missing.map(({ name, version }) => `${name}=${version}`)))
      renameSync(fetched, fileOf(one))
  }
  for (const one of packages) {
    if (!existsSync(fileOf(one)))
      throw new Error(
        `Debian's archive no longer has ${one.name} ${one.version}: put it into ${folder} (see decision 064), or run npm run release:base`,
      )
    if (sha256Of(fileOf(one)) !== one.sha256) throw new Error(`${fileOf(one)} is not what packaging/image/base.json names`)
  }
  return packages.map(fileOf)
}

/** What Debian has now, in the order of names. */
export function currentPackages(architecture: Architecture, folder: string): Locked[] {
  mkdirSync(folder, { recursive: true })
  using apt = openApt(folder, architecture)
  return apt
    .download(apt.closure(WANTED))
    .map(({ name, version, fetched }) => ({ name, version, sha256: sha256Of(fetched) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

interface Apt extends Disposable {
  /** These packages and what they depend on. */
  closure(names: readonly string[]): string[]
  download(names: readonly string[]): { name: string; version: string; fetched: string }[]
}

/** apt with lists of its own, which checks Debian's signatures and knows nothing of the packages of this machine. */
function openApt(folder: string, architecture: Architecture): Apt {
  const state = join(folder, `.apt-${architecture}`)
  rmSync(state, { recursive: true, force: true })
  for (const name of ['lists/partial', 'cache/archives/partial', 'fetched']) mkdirSync(join(state, name), { recursive: true })
  const suites = { 'http://deb.debian.org/debian': SUITE, 'http://deb.debian.org/debian-security': `${SUITE}-security` }
  const sources = Object.entries(suites).map(
    ([uri, suite]) => `deb [arch=${architecture} signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${uri} ${suite} main\n`,
  )
  writeFileSync(join(state, 'sources.list'), sources.join(''))
  const options = {
    'Dir::State': state,
    'Dir::State::lists': join(state, 'lists'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': join(state, 'cache'),
    'Dir::Etc::sourcelist': join(state, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'APT::Architecture': architecture,
    'APT::Architectures': architecture,
    'APT::Sandbox::User': process.getuid?.() === 0 ? 'root' : '',
    'APT::Install-Recommends': 'false',
  }
  const common = Object.entries(options).map(([name, value]) => `-o${name}=${value}`)
  const run = (...args: string[]): string =>
    execFileSync('apt-get', [...common, '-q', ...args], {
      cwd: join(state, 'fetched'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  run('update')
  return {
    closure: (names) => run('install', '--simulate', ...names).match(/(?<=^Inst )[^\s:]+/gm) ?? [],
    download(names) {
      run('download', ...names)
      const fetched = readdirSync(join(state, 'fetched')).map((file) => join(state, 'fetched', file))
      return fetched.map((file) => ({ ...nameOf(file), fetched: file }))
    },
    [Symbol.dispose]: () => rmSync(state, { recursive: true }),
  }
}

function nameOf(file: string): { name: string; version: string } {
  const [name = '', version = ''] = execFileSync('dpkg-deb', ['-W', '--showformat=${Package}\\n${Version}', file], {
    encoding: 'utf8',
  }).split('\n')
  return { name, version }
}

function sha256Of(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
