import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  closeSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { ConfigError } from './config/config-error.ts'
import { hasLostMarker, MARKER } from './config/served-root.ts'
import { databaseLocationOf, shownDatabase } from './config/database-location.ts'
import { awaitsFirstAccount, isThere } from './db/database.ts'

/** The storage's private folder at the root; users cannot reach it. */
const PRIVATE_FOLDER = '.satchel'

const NO_ROOM = ['ENOSPC', 'EDQUOT']

/** The password of the first administrator, if the operator gave one. */
export type FirstPassword = { readonly text: string } | { readonly hash: string }

/**
 * Whether this is a first start. It is not if the served folder had a database that has disappeared: a new administrator would get the old files, and
 * a mistyped `--data` would look like a fresh installation. Throws `ConfigError` then.
 */
export async function isFirstStart({ root, database, newDatabase }: Config): Promise<boolean> {
  const place = databaseLocationOf(database)
  const missing = !(await isThere(place))
  const former = readMarker(root)
  if (missing && former !== null && !newDatabase) {
    throw new ConfigError(
      `${root} was served with the database ${former}, but there is none at ${shownDatabase(database)}. ` +
        'Bring it back or name it with --data or --database; to start anew with new accounts and without shares, add --new-database once.',
    )
  }
  return missing || awaitsFirstAccount(place)
}

/** A served folder that has lost its marker is not served: its disk is probably not mounted. Throws `ConfigError`. */
export function refuseUnmounted(config: Config): void {
  if (config.newRoot || !hasLostMarker(config)) return
  throw new ConfigError(
    `${config.root} was served before, and its mark (${MARKER}) is gone: perhaps its disk is not mounted, and what would be uploaded now would be ` +
      'hidden when it is. Mount it, or name the folder with --root; if it is really a new one, add --new-root once.',
  )
}

/** Records in the served folder that it has a database, and where. A folder that is read-only or on a full disk is left as it is. */
export function markInstalled({ root, ...config }: Config): void {
  const database = shownDatabase(config.database)
  if (readMarker(root) === database) return
  const folder = join(root, PRIVATE_FOLDER)
  const record = JSON.stringify({ installation: randomUUID(), database })
  try {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
    if (!lstatSync(folder).isDirectory()) return
    writeWhole(join(root, MARKER), `${record}\n`)
  } catch (error) {
    if (!hasCode(error, ['EROFS', 'EACCES', 'EPERM', 'ELOOP', ...NO_ROOM])) throw error
  }
}

/** Follows no link that somebody put there. */
function writeWhole(path: string, text: string): void {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
  const fresh = `${path}.new`
  const file = openSync(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
  try {
    writeSync(file, text)
    renameSync(fresh, path)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

/** Makes sure that there is a folder to serve. Only the default is created; a mistyped path is an error. Throws `ConfigError`. */
export function ensureRoot({ root }: Config, { isDefault }: { isDefault: boolean }): void {
  if (isDefault) makeRoot(root)
  const isFolder = existsSync(root) && statSync(root).isDirectory()
  if (!isFolder) throw new ConfigError(`--root ${root} is no folder; create it, or name the folder to serve`)
  try {
    accessSync(root, constants.R_OK | constants.X_OK)
  } catch (error) {
    throw new ConfigError(`--root ${root} cannot be read by this account (uid ${process.getuid?.()})`, { cause: error })
  }
}

function makeRoot(root: string): void {
  try {
    mkdirSync(root, { recursive: true })
  } catch (error) {
    throw new ConfigError(`${root} cannot be made; name a folder to serve with --root`, { cause: error })
  }
}

/** The password for the first administrator; null to generate one. Throws `ConfigError`. */
export function firstPassword({ password, passwordFile }: Config): FirstPassword | null {
  if (password !== null) return { hash: password }
  if (passwordFile === null) return null
  const [text = ''] = read(passwordFile).split(/\r?\n/)
  if (text === '') throw new ConfigError(`--password-file ${passwordFile}: its first line is empty`)
  return { text }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigError(`--password-file ${file} cannot be read`, { cause: error })
  }
}

function readMarker(root: string): string | null {
  try {
    const record: unknown = JSON.parse(readFileSync(join(root, MARKER), 'utf8'))
    return typeof record === 'object' && record !== null && 'database' in record ? String(record.database) : '(unknown)'
  } catch (error) {
    // A truncated marker still says that there was one.
    return error instanceof SyntaxError ? '(unknown)' : null
  }
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
