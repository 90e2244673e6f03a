import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { HOME, SANDBOXED, SANDBOXED_FOLDER, SERVER } from '../src/server/entries/entries.ts'
import { buildFolder, isServerBuilt } from './lib/server.mjs'

/** Builds the server by Bun's bundler: hundreds of modules need not be found, read, translated and kept one by one at each start (decision 018). */

/** Native code, or a library with WebAssembly beside it: they stay in `node_modules`, and are found there. */
const EXTERNAL = ['7z-wasm', 'lz4-napi', 'sharp', 'snappy']
/** What bundled packages are told of where they lie, which would be a folder of this machine: none of them reads files there. */
const NO_FOLDER = JSON.stringify('/no-folder')
/** Nobody is still at work on a build that old. */
const LEFT_LYING_MS = 10 * 60_000

build()
  .then(removeOthers)
  .catch((error: unknown) => {
    console.error(error)
    process.exitCode = 1
  })

/** @returns the folder of the build */
async function build(): Promise<string> {
  const folder = buildFolder()
  const fresh = `${folder}.${process.pid}`
  try {
    await bundle(SERVER, fresh)
    await bundle(SANDBOXED, join(fresh, SANDBOXED_FOLDER))
    // What was saved meanwhile may be in it, or not.
    if (buildFolder() !== folder) return await build()
    publish(fresh, folder)
    return folder
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Under its name it is whole, also after a power cut; who built the same meanwhile has published it already. */
function publish(fresh: string, folder: string): void {
  for (const name of readdirSync(fresh, { recursive: true, encoding: 'utf8' })) sync(join(fresh, name))
  if (isServerBuilt()) return
  try {
    // What is there lacks its main file: somebody took a part of it away.
    rmSync(folder, { recursive: true, force: true })
    renameSync(fresh, folder)
  } catch (error) {
    if (!isServerBuilt()) throw error
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** What is loaded late in the sources is a file of its own, as is what several entries share. */
async function bundle(entries: Record<string, string>, outdir: string): Promise<void> {
  mkdirSync(outdir, { recursive: true })
  await Bun.build({
    entrypoints: Object.values(entries).map((source) => join(HOME, 'src/server', source)),
    outdir,
    naming: { entry: '[name].[ext]', chunk: '[name]-[hash].[ext]' },
    target: 'bun',
    splitting: true,
    // Read when a stack is printed, and not before.
    sourcemap: 'linked',
    external: EXTERNAL,
    // A build knows nothing of who made it.
    env: 'disable',
    // Nor of the folder it is made in: the same sources give the same bytes everywhere.
    define: { __dirname: NO_FOLDER, __filename: NO_FOLDER },
  })
}

/** The build before this one stays: a server that runs from it may start a thread yet. */
function removeOthers(current: string): void {
  const builds = dirname(current)
  const others = readdirSync(builds)
    .filter((name) => name !== basename(current))
    .map((name) => ({ name, isWhole: !name.includes('.'), madeAt: statSync(join(builds, name)).mtimeMs }))
    .toSorted((a, b) => b.madeAt - a.madeAt)
  const before = others.find(({ isWhole }) => isWhole)
  const old = others.filter((one) => (one.isWhole ? one !== before : Date.now() - one.madeAt > LEFT_LYING_MS))
  for (const { name } of old) rmSync(join(builds, name), { recursive: true, force: true })
}
