import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { HOME } from '../../src/server/entries/entries.ts'
import { buildFolder, serverMain } from '../lib/server.mjs'
import { componentsOf, type Component } from './components.ts'
import { LICENCES_FILE, licencesText } from './licences.ts'
import { packWeb } from './packed-web.ts'
import { TARGETS, type TargetName } from './targets.ts'

/** Packages that the built server finds by name; the rest is in the build. */
export const PACKAGES = ['7z-wasm', 'lz4-napi', 'sharp', 'snappy', 'yaml']
/** Their bindings, of which they choose one by what `/usr/bin/ldd` says; not every system has that. */
const BINDINGS = { 'lz4-napi': '@antoniomuso/lz4-napi', snappy: '@napi-rs/snappy' } as const
/** Of packages: types, maps, sources in C++, and what is for browsers. Each file takes its time when the executable unpacks and checks itself. */
const UNUSED = /(\.d\.[cm]?ts|\.map)$|^(yaml\/browser|sharp\/src|sharp\/install)$/
const Manifest = z.object({
  dependencies: z._default(z.record(z.string(), z.string()), {}),
  optionalDependencies: z._default(z.record(z.string(), z.string()), {}),
})

/** What runs on a machine: files relative to the folder where it is installed. */
export interface Tree {
  readonly folder: string
  /** The runtime for the target; it is not in the folder. */
  readonly runtime: string
  /** The server's main file, relative to the folder. */
  readonly main: string
  /** What others wrote, the runtime included. */
  readonly components: readonly Component[]
}

/**
 * Puts everything that runs on a target into a new folder: the built web and server and the packages they need, as the lock file says. Programs that
 * were built must be there. Throws what npm says.
 * @param packages a folder of packages that are for the target; without it, they are installed beside the new folder
 */
export function makeTree(target: TargetName, folder: string, packages = installPackages(target, `${folder}.packages`)): Tree {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const name of closureOf(PACKAGES, packages))
    cpSync(join(packages, name), join(folder, 'node_modules', name), {
      recursive: true,
      filter: (source) => !isUnused(source.slice(packages.length + 1)),
    })
  nameBindings(join(folder, 'node_modules'), TARGETS[target])
  for (const name of ['package.json', 'LICENSE']) copyFileSync(join(HOME, name), join(folder, name))
  packWeb(join(HOME, 'dist/web'), join(folder, 'dist/web'))
  const main = serverMain()
  const build = join('dist/server', basename(buildFolder()))
  cpSync(dirname(main), join(folder, build), { recursive: true, filter: (source) => !source.endsWith('.map') })
  forgetMaps(join(folder, build))
  const runtime = join(packages, '@oven', TARGETS[target].runtime, 'bin/bun')
  const components = componentsOf({ folder, runtime })
  writeFileSync(join(folder, LICENCES_FILE), licencesText(components))
  return { folder, runtime, main: join(build, basename(main)), components }
}

/** @param path of a file or folder, relative to that of all packages */
function isUnused(path: string): boolean {
  return UNUSED.test(path)
}

/** Whatever the packages take the C library for, they find the binding for the target. */
function nameBindings(packages: string, { cpu, libc }: (typeof TARGETS)[TargetName]): void {
  const [right, wrong] = libc === 'glibc' ? ['gnu', 'musl'] : ['musl', 'gnu']
  for (const [name, binding] of Object.entries(BINDINGS)) {
    const source = join(packages, `${binding}-linux-${cpu}-${right}`, `${name}.linux-${cpu}-${right}.node`)
    copyFileSync(source, join(packages, name, `${name}.linux-${cpu}-${wrong}.node`))
  }
}

/** Maps of the sources are for those who have the sources. */
function forgetMaps(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js')) continue
    const path = join(folder, name)
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, ''))
  }
}

/** @returns the folder of all packages of the target, which is kept for the next time */
function installPackages(target: TargetName, folder: string): string {
  const { cpu, libc } = TARGETS[target]
  mkdirSync(folder, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(HOME, name), join(folder, name))
  const args = [
    'ci',
    '--omit=dev',
    '--ignore-scripts',
    '--os=linux',
    `--cpu=${cpu}`,
    `--libc=${libc}`,
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ci for ${target} failed:\n${stdout}${stderr}`)
  return join(folder, 'node_modules')
}

/** The packages with all that they depend on, as far as the target has them. */
function closureOf(names: readonly string[], packages: string): Set<string> {
  const found = new Set<string>()
  const waiting = [...names]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name) || !existsSync(join(packages, name))) continue
    found.add(name)
    const { dependencies, optionalDependencies } = z.parse(Manifest, JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')))
    waiting.push(...Object.keys(dependencies), ...Object.keys(optionalDependencies))
    if (existsSync(join(packages, name, 'node_modules')))
      throw new Error(`${name} has packages of its own: ${readdirSync(join(packages, name, 'node_modules')).join(', ')}`)
  }
  return found
}
