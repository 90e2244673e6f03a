import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { version } from '../package.json'
import { HOME } from '../src/server/entries/entries.ts'
import { installDebianPackages } from './lib/debian.mjs'
import { RUNTIME_COMMAND } from './lib/packages.mjs'

/**
 * `npm run test:arm64 [-- [--program FILE] TEST-FILE …]`: the contract suite against the arm64 executable of the release, on an x64 machine with Debian: the tests run as
 * they are, and the servers that they start run under qemu-user. A test takes about 7 s, so all take hours; each file's result is a line at the end.
 * qemu-user refuses seccomp, so there is no sandbox: tests of hooks, commands, films and PDFs fail (decision 061).
 * Needs root. What stays on the machine: packages, the architecture arm64 of dpkg, and an entry of binfmt_misc until the next start.
 */
const CONTRACT = 'test/contract'
const BINFMT = '/proc/sys/fs/binfmt_misc'
const QEMU = '/usr/bin/qemu-aarch64-static'
/** What the executable, the packages inside it and the clock of the tests load. */
const LIBRARIES = ['libc6', 'libstdc++6', 'libgcc-s1', 'libfaketime']
/** ELF, 64 bits, little-endian, a program for machine 183 (AArch64), as in Debian's `qemu-user-static`. */
const MAGIC = String.raw`\x7f\x45\x4c\x46\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00`
const MASK = String.raw`\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff`

const args = process.argv.slice(2)
const [, named] = args[0] === '--program' ? args.splice(0, 2) : []
const program = resolve(named ?? join(HOME, 'release', `satchel-${version}-linux-arm64`))
if (!existsSync(program)) throw new Error(`there is no ${program}; npm run release -- linux-arm64 makes it`)
const files = args.length > 0 ? args : contractFiles()
if (!installLibraries()) process.exit(1)
startProgramsByQemu()

const results = files.map((file) => `${file}: ${resultOf(file)}`)
console.log(`\n${results.join('\n')}`)
process.exitCode = results.every((result) => result.includes(' 0 failed')) ? 0 : 1

function contractFiles(): string[] {
  const names = readdirSync(join(HOME, CONTRACT)).filter((name) => name.endsWith('.test.ts'))
  return names.toSorted().map((name) => `${CONTRACT}/${name}`)
}

function installLibraries(): boolean {
  if (spawnSync('dpkg', ['--add-architecture', 'arm64'], { stdio: 'inherit' }).status !== 0) return false
  return installDebianPackages(['qemu-user-static', 'libfaketime', ...LIBRARIES.map((name) => `${name}:arm64`)])
}

/** Of all mount namespaces: with the flag F the kernel opens qemu now, and the sandboxes need not have it. */
function startProgramsByQemu(): void {
  if (!existsSync(join(BINFMT, 'register'))) spawnSync('mount', ['-t', 'binfmt_misc', 'none', BINFMT], { stdio: 'inherit' })
  if (!existsSync(join(BINFMT, 'qemu-aarch64'))) writeFileSync(join(BINFMT, 'register'), `:qemu-aarch64:M::${MAGIC}:${MASK}:${QEMU}:F`)
}

/** The line with what passed, failed and could not be asked over HTTP. */
function resultOf(file: string): string {
  const command = [join(HOME, 'scripts/test-executable.ts'), '--program', program, 'contract', file]
  const [runtime, ...options] = RUNTIME_COMMAND
  const { stdout } = spawnSync(runtime, [...options, ...command], { cwd: HOME, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  process.stdout.write(stdout)
  return stdout.split('\n').find((line) => line.includes(' passed over HTTP')) ?? 'ended early'
}
