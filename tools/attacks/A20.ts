import { mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { claimedBy, nativeCodeOf } from '../../test/native-code.ts'
import { HOME } from '../../scripts/lib/packages.mjs'
import type { Attack, TestServer } from './attack.ts'

interface Package {
  readonly version: string
  readonly dev?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
}

export const attack: Attack = {
  row: 'A20',
  title: 'break .tar.xz downloads where a package ships the machine code of another platform',
  async run(server) {
    server.write('a.txt', 'a\n'.repeat(2_000_000))
    const archive = await server.admin.ask('/api/raw/?files=a.txt&algo=tar.xz')
    server.write('a.tar.xz', new Uint8Array(await archive.arrayBuffer()))
    const listed = await server.admin.ask('/api/archive/list/a.tar.xz')
    server.note(`a .tar.xz of 4 MB: ${archive.status}; read again: ${listed.status}`)
    await listed.arrayBuffer()

    const wrong = packagesOfLinux().filter((name) => !isWhatItSays(server, name))
    return archive.ok && listed.ok && wrong.length === 0 ? 'refused' : 'succeeded'
  },
}

/** The packages with code for Linux on x64 and arm64 that the product needs to run, in the versions of the lock file: `name@version`. */
function packagesOfLinux(): string[] {
  const lock = JSON.parse(readFileSync(join(HOME, 'package-lock.json'), 'utf8')) as { packages: Record<string, Package> }
  const packages = Object.entries(lock.packages).filter(
    ([path, { dev, os, cpu = [] }]) =>
      dev !== true && os?.includes('linux') === true && /^(x64|arm64)$/.test(cpu.join()) && !/android/.test(path),
  )
  return packages.map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`)
}

/** Fetches the package from the registry and looks at its code. */
function isWhatItSays(server: TestServer, name: string): boolean {
  const folder = join(server.home, 'packages', basename(name))
  mkdirSync(folder, { recursive: true })
  run(['npm', 'pack', name, '--silent', '--pack-destination', folder])
  const [file = ''] = [...new Bun.Glob('*.tgz').scanSync(folder)]
  run(['tar', '-xzf', join(folder, file), '-C', folder])
  const claimed = claimedBy(name)
  const found = [...new Bun.Glob('package/**').scanSync({ cwd: folder, absolute: true })].flatMap((one) => nativeCodeOf(one) ?? [])
  const fine =
    found.length > 0 && found.every(({ cpu, libc }) => cpu === claimed.cpu && (libc === null || libc === (claimed.libc ?? 'glibc')))
  server.note(`${name}: ${found.map(({ cpu, libc }) => `${cpu} ${libc ?? 'without a C library'}`).join(', ')}${fine ? '' : ' – WRONG'}`)
  return fine
}

function run(command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { stdout: 'ignore', stderr: 'pipe' })
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr.toString()}`)
}
