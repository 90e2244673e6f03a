import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import manifest from '../../package.json'
import { HOME } from '../../src/server/entries/entries.ts'
import RUNTIME_OPTIONS from '../../src/server/entries/runtime-options.json'
import { LICENCES_FILE } from './licences.ts'
import { TARGETS } from './targets.ts'
import { PACKAGES, type Tree } from './tree.ts'

/** Makes the package `satchel` for npm: the built web and server; npm adds the packages and the runtime for a machine. @returns its file name */
export function makeNpmPackage(tree: Tree, out: string): string {
  const folder = join(out, 'work/npm')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'bin'), { recursive: true })
  cpSync(join(tree.folder, 'dist/web'), join(folder, 'dist/web'), { recursive: true })
  cpSync(join(tree.folder, dirname(tree.main)), join(folder, dirname(tree.main)), { recursive: true })
  copyFileSync(join(HOME, 'packaging/npm/satchel.mjs'), join(folder, 'bin/satchel.mjs'))
  chmodSync(join(folder, 'bin/satchel.mjs'), 0o755)
  copyFileSync(join(HOME, 'scripts/lib/serve.mjs'), join(folder, 'bin/serve.mjs'))
  writeFileSync(join(folder, 'bin/program.json'), JSON.stringify({ main: tree.main, options: RUNTIME_OPTIONS }))
  for (const name of ['LICENSE', 'README.md', 'CHANGES.md']) copyFileSync(join(HOME, name), join(folder, name))
  copyFileSync(join(tree.folder, LICENCES_FILE), join(folder, LICENCES_FILE))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published(), null, 2)}\n`)
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--pack-destination', out, '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`npm pack failed:\n${stdout}${stderr}`)
  const name = `satchel-${manifest.version}-npm.tgz`
  renameSync(join(out, stdout.trim().split('\n').at(-1) ?? ''), join(out, name))
  return name
}

function published(): object {
  // Nobody can say yet where the sources will be published (docs/roadmap.md); npm shows this field as their address, and needs none.
  const { repository }: typeof manifest & { repository?: object } = manifest
  const { name, version, description, homepage, bugs, license, type, engines, dependencies } = manifest
  const pinned = new Map(Object.entries(dependencies))
  const versionOf = (one: string): string => pinned.get(one) ?? ''
  return {
    name,
    version,
    description,
    homepage,
    repository,
    bugs,
    license,
    type,
    engines,
    os: ['linux'],
    cpu: ['x64', 'arm64'],
    bin: { satchel: 'bin/satchel.mjs' },
    dependencies: Object.fromEntries(PACKAGES.map((one) => [one, versionOf(one)])),
    // npm takes the one for the machine. The package `bun` would need its install script, which npm may skip.
    optionalDependencies: Object.fromEntries(Object.values(TARGETS).map(({ runtime }) => [`@oven/${runtime}`, versionOf('bun')])),
  }
}
