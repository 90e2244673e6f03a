import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder this program lies in. */
export const HOME = fileURLToPath(new URL('../..', import.meta.url))
/** Bun, from the package of that name. */
export const RUNTIME = `${HOME}node_modules/bun/bin/bun.exe`
/** Bun as everything of ours is started by it: deaf to what lies in the current folder (src/server/entries/runtime.ts). */
export const RUNTIME_COMMAND = [RUNTIME, ...JSON.parse(readFileSync(`${HOME}src/server/entries/runtime-options.json`, 'utf8'))]

const LOCK = `${HOME}package-lock.json`
const INSTALLED = `${HOME}node_modules/.package-lock.json`
/** One that only checks need: whether it is there tells what was installed. */
const CHECKS_ONLY = `${HOME}node_modules/typescript`

/** Whether everything is there that the lock file asks for; with `checks`, also what only checks need. */
export function isInstalled({ checks }) {
  if (!existsSync(INSTALLED) || (checks && !existsSync(CHECKS_ONLY))) return false
  return statSync(INSTALLED).mtimeMs >= statSync(LOCK).mtimeMs
}

/** Installs what the lock file says; throws with npm's words when it cannot. What checks need stays where it was. */
export function install({ checks }) {
  const dev = checks || existsSync(CHECKS_ONLY) ? '--include=dev' : '--omit=dev'
  const { status, stdout, stderr } = spawnSync('npm', ['ci', dev, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: HOME,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`npm ci failed:\n${stdout}${stderr}`)
}

/** Makes the runtime work where npm skipped its install script. True when that was needed. */
export function repairRuntime() {
  const works = () => spawnSync(RUNTIME, [...RUNTIME_COMMAND.slice(1), '--version'], { stdio: 'ignore' }).status === 0
  if (works()) return false
  const { stdout, stderr } = spawnSync(process.execPath, ['install.js'], { cwd: `${HOME}node_modules/bun`, encoding: 'utf8' })
  if (!works()) throw new Error(`the runtime could not be set up:\n${stdout}${stderr}`)
  return true
}
