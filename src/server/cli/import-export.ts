import { closeSync, existsSync, fsyncSync, openSync, readFileSync, realpathSync, renameSync, writeSync } from 'node:fs'
import { dirname, extname, relative, resolve } from 'node:path'
import { parse, stringify } from 'yaml'
import { ConfigError } from '../config/config-error.ts'
import { foreignProblem } from '../db/foreign.ts'
import { isRecord } from './records.ts'

/**
 * Every name of the predecessor's records, and those of ours that are not lower case anyway. YAML has them in lower case, JSON as they are here;
 * event names are lower case in both.
 */
const NAMES = (
  'settings server auther key signup hideLoginButton createUserDir userHomeBasePath minimumPasswordLength defaults authMethod logoutPage ' +
  'branding tus shell commands rules fileMode dirMode name disableExternal disableUsedPercentage files theme color chunkSize retryCount ' +
  'id username password scope locale lockPassword viewMode singleClick redirectAfterCopyMove perm sorting hideDotfiles dateFormat ' +
  'aceEditorTheme disabled webdavDisabled by asc admin execute create rename modify delete share download regex allow path regexp raw ' +
  'root baseURL socket tlsKey tlsCert port address log enableThumbnails resizePreview enableExec typeDetectionByHeader ' +
  'imageResolutionCalculation authHook tokenExpirationTime followExternalSymlinks recaptcha host secret header command activityDays ' +
  'activityAddresses trashDays trashShare versionDays versionShare compatibility secondFactorFor passkeys providersOnly webdav'
).split(' ')
/** For the audit trail: the result of an import is not listed field by field. */
export const FROM_FILE = { place: 'import', before: null, after: null }

const SPELLING = new Map(NAMES.map((name) => [name.toLowerCase(), name]))

/** Reads a file of the predecessor or of ours, in any format, with names as in JSON. Throws `ConfigError`. */
export function readImport(file: string, cwd: string): unknown {
  const path = resolve(cwd, file)
  const foreign = foreignProblem(path)
  if (foreign !== null) throw new ConfigError(foreign)
  const isYaml = formatOf(path) === 'yaml'
  try {
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
    return respelled(isYaml ? parse(text, { maxAliasCount: 0 }) : JSON.parse(text), (name) => SPELLING.get(name.toLowerCase()) ?? name)
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : [String(error)]
    throw new ConfigError(`${path}: ${reason}`, { cause: error })
  }
}

/**
 * Writes a file that only its owner can read, in one step; never into the served folder, where users would find hashes and secrets. Throws
 * `ConfigError`.
 * @returns its path
 */
export function writeExport(file: string, value: unknown, { cwd, root }: { cwd: string; root: string }): string {
  const path = resolve(cwd, file)
  refuseServed(path, root)
  const isYaml = formatOf(path) === 'yaml'
  const text = isYaml
    ? stringify(
        respelled(value, (name) => name.toLowerCase()),
        { aliasDuplicateObjects: false },
      )
    : `${JSON.stringify(value, null, 4)}\n`
  const temporary = `${path}.${process.pid}.part`
  try {
    const handle = openSync(temporary, 'wx', 0o600)
    writeSync(handle, text)
    fsyncSync(handle)
    closeSync(handle)
    renameSync(temporary, path)
  } catch (error) {
    throw new ConfigError(`${path} cannot be written`, { cause: error })
  }
  return path
}

/** Hashes and secrets must not be written where users could read them. Throws `ConfigError`. */
export function refuseServed(path: string, root: string): void {
  if (isServed(path, root))
    throw new ConfigError(`${path} lies inside the served folder ${root}, where users could read it; name another place`)
}

function isServed(path: string, root: string): boolean {
  if (!existsSync(root) || !existsSync(dirname(path))) return false
  const way = relative(realpathSync(root), realpathSync(dirname(path)))
  return way !== '..' && !way.startsWith('../')
}

function formatOf(path: string): 'json' | 'yaml' {
  const extension = extname(path).toLowerCase()
  if (extension === '.json') return 'json'
  if (extension === '.yaml' || extension === '.yml') return 'yaml'
  throw new ConfigError(`${path}: a file name ends with .json, .yaml or .yml`)
}

function respelled(value: unknown, spell: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((part) => respelled(part, spell))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [spell(name), respelled(part, spell)]))
}
