import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { HOME, RUNTIME_COMMAND } from './packages.mjs'

const SOURCES = ['src/server', 'src/shared', 'package.json', 'package-lock.json', 'scripts/build-server.ts', 'scripts/lib/server.mjs']
const UNUSED = /\.(test|suite|child)\.ts$/

/**
 * What starts the product, before its own command line: the executable that TEST_PROGRAM names, otherwise the built server. Builds the server where
 * that is missing; throws when it cannot be built.
 */
export function serverCommand() {
  const { TEST_PROGRAM } = process.env
  if (TEST_PROGRAM) return [TEST_PROGRAM]
  return [...RUNTIME_COMMAND, serverMain()]
}

/** The main file of the built server, which is built now where there is none of the sources as they are. Throws when it cannot be built. */
export function serverMain() {
  if (!isServerBuilt()) {
    const [runtime, ...options] = RUNTIME_COMMAND
    // In our own folder: the bundler goes by what it finds where it is started.
    const stdio = ['ignore', 'inherit', 'inherit']
    const { status } = spawnSync(runtime, [...options, join(HOME, 'scripts/build-server.ts')], { cwd: HOME, stdio })
    if (status !== 0 || !isServerBuilt()) throw new Error('the server could not be built')
  }
  return mainOf(buildFolder())
}

/** Whether there is a build of the sources as they are. */
export function isServerBuilt() {
  return existsSync(mainOf(buildFolder()))
}

/**
 * Where the build of the sources lies, or belongs. It is named by what they say, so that a build of other sources is never taken for it, however new
 * it is, and it appears under that name when it is whole.
 */
export function buildFolder(home = HOME) {
  const hash = createHash('sha256')
  for (const source of SOURCES) addTo(hash, home, source)
  return join(home, 'dist/server', hash.digest('hex').slice(0, 16))
}

function mainOf(folder) {
  return join(folder, 'main.js')
}

function addTo(hash, home, path) {
  const place = join(home, path)
  if (statSync(place).isDirectory()) {
    for (const name of readdirSync(place).sort()) addTo(hash, home, `${path}/${name}`)
  } else if (!UNUSED.test(path)) {
    const content = readFileSync(place)
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
}
