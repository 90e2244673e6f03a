import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, lstatSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import manifest from '../../package.json'
import { HOME } from '../../src/server/entries/entries.ts'
import { guides } from './guides.ts'
import { LICENCES_FILE } from './licences.ts'
import { PROGRAM, starter } from './starter.ts'
import { ARCHITECTURES, TARGETS, type TargetName } from './targets.ts'
import type { Tree } from './tree.ts'

const PACKAGING = join(HOME, 'packaging')

/** Of xz, which dpkg of Debian 11 reads too and which halves the file; with one thread, so that the bytes do not depend on the machine. */
const COMPRESSION = { xz: ['-Zxz', '-z3', '--threads-max=1'], none: ['-Znone'] } as const

interface DebOptions {
  readonly target: TargetName
  readonly out: string
  /** Of everything in it. */
  readonly time: Date
  /** Other than that of the program, to try upgrades. */
  readonly version?: string
  readonly compression?: 'xz' | 'none'
}

/** Makes a package for Debian and Ubuntu. Throws what `dpkg-deb` says. @returns its file name */
export function makeDeb(tree: Tree, { target, out, time, version = manifest.version, compression = 'xz' }: DebOptions): string {
  const architecture = ARCHITECTURES[TARGETS[target].cpu]
  const name = `satchel_${version}_${architecture}.deb`
  const root = join(out, 'work', `${target}.deb`)
  rmSync(root, { recursive: true, force: true })
  cpSync(tree.folder, join(root, PROGRAM), { recursive: true })
  install(tree.runtime, join(root, PROGRAM, 'bun'), 0o755)
  write(join(root, 'usr/bin/satchel'), starter(tree.main), 0o755)
  install(join(PACKAGING, 'satchel.service'), join(root, 'usr/lib/systemd/system/satchel.service'))
  install(join(PACKAGING, 'satchel.yaml'), join(root, 'etc/satchel/satchel.yaml'))
  install(join(HOME, 'LICENSE'), join(root, 'usr/share/doc/satchel/copyright'))
  for (const file of ['README.md', 'CHANGES.md', ...guides()]) install(join(HOME, file), join(root, 'usr/share/doc/satchel', file))
  install(join(tree.folder, LICENCES_FILE), join(root, 'usr/share/doc/satchel', LICENCES_FILE))
  install(join(PACKAGING, 'hardened.conf'), join(root, 'usr/share/doc/satchel/examples/hardened.conf'))
  for (const script of readdirSync(join(PACKAGING, 'debian')))
    install(join(PACKAGING, 'debian', script), join(root, 'DEBIAN', script), 0o755)
  write(join(root, 'DEBIAN/conffiles'), '/etc/satchel/satchel.yaml\n')
  write(join(root, 'DEBIAN/control'), control(version, architecture, sizeOf(root)))
  normalise(root, time)
  const args = ['--root-owner-group', ...COMPRESSION[compression], '--build', root, join(out, name)]
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(time.getTime() / 1000) }
  const { status, stderr } = spawnSync('dpkg-deb', args, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`dpkg-deb failed:\n${stderr}`)
  return name
}

function control(version: string, architecture: string, bytes: number): string {
  return `Package: satchel
Version: ${version}
Architecture: ${architecture}
Maintainer: Satchel <${manifest.homepage}>
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: libc6 (>= 2.31), libgcc-s1, libstdc++6, adduser
Recommends: bubblewrap, ca-certificates
Section: web
Priority: optional
Homepage: ${manifest.homepage}
Description: self-hosted web file manager with sharing and administration
 Browse, preview, edit, upload, download, search and share the files of a
 folder in a browser, each person within a scope of their own. The successor
 of File Browser.
`
}

function install(source: string, path: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true })
  copyFileSync(source, path)
  chmodSync(path, mode)
}

function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, mode)
}

/** Sets modes and times, so that each build gives the same bytes. */
function normalise(root: string, time: Date): void {
  for (const name of [...readdirSync(root, { recursive: true, encoding: 'utf8' }), '.']) {
    const path = join(root, name)
    const stat = lstatSync(path)
    if (stat.isDirectory()) chmodSync(path, 0o755)
    else if (stat.isFile()) chmodSync(path, (stat.mode & 0o111) === 0 ? 0o644 : 0o755)
    utimesSync(path, time, time)
  }
}

function sizeOf(root: string): number {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => {
    const stat = lstatSync(join(root, name))
    return stat.isFile() ? sum + stat.size : sum
  }, 0)
}
