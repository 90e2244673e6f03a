import { dirname, isAbsolute, join, relative } from 'node:path'
import { ConfigError } from './config-error.ts'
import { isPostgres } from './database-location.ts'
import type { RootSpec } from './kinds.ts'
import { flagName, KEY_NAMES, type KeyName, keyOf } from './settings-table.ts'
import type { Files } from './sources.ts'

/** Exists below a root after its first start (`first-start.ts`). */
const SERVED_MARK = '.satchel/installed'

export interface CheckOptions {
  readonly files: Files
  /** Whether a setting was given, not defaulted. */
  readonly isGiven: (name: KeyName) => boolean
  /** The folder of this program. */
  readonly program: string
}

/** Checks that involve several values: combinations, and paths that must not be served. Throws `ConfigError`. */
export function checkTogether(values: Readonly<Record<KeyName, unknown>>, { files, isGiven, program }: CheckOptions): void {
  if ((values.cert === null) !== (values.key === null)) throw new ConfigError('--cert and --key belong together: give both or none')
  const beside = (['address', 'port', 'cert', 'key'] as const).find((name) => isGiven(name) && values[name] !== null)
  if (values.socket !== null && beside !== undefined) throw new ConfigError(`--socket and --${beside} exclude each other`)
  if (values.password !== null && values.passwordFile !== null) {
    throw new ConfigError('--password and --password-file exclude each other')
  }
  const root = files.realPath(String(values.root))
  const further = checkedRoots(values.roots, root, files)
  for (const served of [root, ...further])
    if (isInside(files.realPath(program), served))
      throw new ConfigError(`--root${served === root ? '' : 's'} ${served} holds this program itself; choose a folder of your own`)
  for (const name of KEY_NAMES.filter((key) => keyOf(key).private === true)) {
    const value = values[name]
    if (typeof value !== 'string' || isPostgres(value)) continue
    const place = files.realPath(value)
    const around = [root, ...further].find((served) => isInside(place, served))
    if (around !== undefined)
      throw new ConfigError(
        `${flagName(name)} ${value} lies inside the served folder ${around}, where users could read it; move one of them`,
      )
  }
}

/** The folders of further roots. The same file by two paths would have two sets of rules, versions and quotas. */
function checkedRoots(specs: unknown, root: string, files: Files): string[] {
  // Parsed by the kind of that key.
  const roots = specs as readonly RootSpec[]
  const places: { shown: string; path: string }[] = [{ shown: `--root ${root}`, path: root }]
  const names = new Set<string>()
  for (const { name, address } of roots) {
    const folded = name.normalize('NFC').toLowerCase()
    if (names.has(folded)) throw new ConfigError(`--roots: two of them are named ${name}`)
    names.add(folded)
    const path = files.realPath(address)
    const other = places.find((place) => isInside(place.path, path) || isInside(path, place.path))
    if (other !== undefined)
      throw new ConfigError(`--roots ${name}=${address} and ${other.shown} overlap; each file must be in one root only`)
    places.push({ shown: `${name}=${address}`, path })
  }
  return places.slice(1).map(({ path }) => path)
}

/**
 * A configuration file that was found, not named by the operator, must not be in a served folder: users who may upload there could choose the
 * settings of the next start, such as the root, or sign-in without password (A19). Throws `ConfigError`.
 */
export function checkFoundFile(file: string, root: string, files: Files): void {
  const place = files.realPath(file)
  if (!isInside(place, files.realPath(root)) && !hasServedFolderAbove(place, files)) return
  throw new ConfigError(`${file} lies in a served folder, where users could write it; move it, or name it with --config if it is yours`)
}

/** The root may be set in the very file in question; a folder that was served before has a marker. */
function hasServedFolderAbove(place: string, files: Files): boolean {
  const folder = dirname(place)
  return files.read(join(folder, SERVED_MARK)) !== null || (folder !== place && hasServedFolderAbove(folder, files))
}

export function warningsFor(values: Readonly<Record<KeyName, unknown>>): string[] {
  const idle = KEY_NAMES.flatMap((name) => {
    const reason = keyOf(name).withoutEffect
    return reason !== undefined && values[name] !== false && values[name] !== null ? [`${name} has no effect: ${reason}`] : []
  })
  const isOpen = values.noauth === true && values.socket === null && !/^(127\.|::1$|localhost$)/.test(String(values.address))
  return isOpen ? [...idle, 'noauth: everybody who reaches this address is the administrator'] : idle
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith('../') && !isAbsolute(way))
}
