import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import manifest from '../../package.json'
import { HOME } from '../../src/server/entries/entries.ts'
import { callTable, satchelTypes } from '../client/calls.ts'

/** Of which the package has the types as the compiler writes them; `satchel.ts` is written out. */
const TYPED = ['client/connect-options', 'client/download', 'client/retry', 'client/upload', 'client/watch', 'shared/errors']

/** Makes the package `satchel-client` for npm, which has no dependencies: a module, types and its README. @returns its file name */
export async function makeClientPackage(out: string): Promise<string> {
  const folder = join(out, 'work/client')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await bundle(folder)
  await writeTypes(folder)
  copyFileSync(join(HOME, 'packaging/client/README.md'), join(folder, 'README.md'))
  copyFileSync(join(HOME, 'LICENSE'), join(folder, 'LICENSE'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published(), null, 2)}\n`)
  const packed = run('npm', ['pack', '--pack-destination', out, '--loglevel=error'], folder)
  const name = `satchel-client-${manifest.version}.tgz`
  renameSync(join(out, packed.trim().split('\n').at(-1) ?? ''), join(out, name))
  return name
}

/** The table of calls takes the place of the contract, so that no library of schemas comes with it. */
async function bundle(folder: string): Promise<void> {
  const entry = join(folder, 'entry.ts')
  const at = (file: string): string => JSON.stringify(join(HOME, 'src', file))
  const lines = [
    `import { connectWith } from ${at('client/connect.ts')}`,
    `export { download } from ${at('client/download.ts')}`,
    `export { upload } from ${at('client/upload.ts')}`,
    `export { watch } from ${at('client/watch.ts')}`,
    `export { AppError as SatchelError, isAppError as isSatchelError } from ${at('shared/errors.ts')}`,
    `const CALLS = ${JSON.stringify(callTable())}`,
    'export const connect = (options) => connectWith(CALLS, options)',
  ]
  writeFileSync(entry, lines.join('\n'))
  const { outputs } = await Bun.build({ entrypoints: [entry], target: 'browser', format: 'esm' })
  const [made] = outputs
  if (made === undefined) throw new Error('the client could not be bundled')
  // Names of the machine's folders are in comments.
  writeFileSync(join(folder, 'index.js'), (await made.text()).replaceAll(/^\/\/ .*\n/gm, ''))
  rmSync(entry)
}

async function writeTypes(folder: string): Promise<void> {
  const written = join(folder, 'written')
  const project = join(HOME, 'src/client/tsconfig.json')
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', join(HOME, 'src'), '--outDir', written]
  run('node', [join(HOME, 'node_modules/typescript/bin/tsc'), '-p', project, ...options], HOME)
  const types = join(folder, 'types')
  for (const name of TYPED) write(join(types, `${name}.d.ts`), readFileSync(join(written, `${name}.d.ts`), 'utf8'))
  write(join(types, 'client/satchel.d.ts'), await satchelTypes())
  copyFileSync(join(HOME, 'packaging/client/index.d.ts'), join(types, 'index.d.ts'))
  rmSync(written, { recursive: true })
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
}

function published(): object {
  const { version, homepage, bugs, license } = manifest
  return {
    name: 'satchel-client',
    version,
    description: 'The API of Satchel, a self-hosted web file manager, as typed functions',
    homepage,
    bugs,
    license,
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './types/index.d.ts', default: './index.js' } },
    types: './types/index.d.ts',
    files: ['index.js', 'types'],
    engines: { node: '>=20' },
  }
}

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} failed:\n${stdout}${stderr}`)
  return stdout
}
