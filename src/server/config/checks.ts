import { dirname, isAbsolute, join, relative } from 'node:path'
import { ConfigError } from './config-error.ts'
import { isPostgres } from './database-location.ts'
import { flagName, KEY_NAMES, type KeyName, keyOf } from './keys.ts'
import type { Files } from './sources.ts'

/** Below a root, from its first start on (`first-start.ts`). */
const SERVED_MARK = '.satchel/installed'

export interface CheckOptions {
  readonly files: Files
  /** What was set, not defaulted. */
  readonly isGiven: (name: KeyName) => boolean
  /** The folder this program lies in. */
  readonly program: string
}

/** What no single value can say: which go together, and what must not be served. Throws `ConfigError`. */
export function checkTogether(values: Readonly<Record<KeyName, unknown>>, { files, isGiven, program }: CheckOptions): void {
  if ((values.cert === null) !== (values.key === null)) throw new ConfigError('--cert and --key belong together: give both or none')
  const beside = (['address', 'port', 'cert', 'key'] as const).find((name) => isGiven(name) && values[name] !== null)
  if (values.socket !== null && beside !== undefined) throw new ConfigError(`--socket and --${beside} exclude each other`)
  if (values.password !== null && values.passwordFile !== null) {
    throw new ConfigError('--password and --password-file exclude each other')
  }
  const root = files.realPath(String(values.root))
  if (isInside(files.realPath(program), root))
    throw new ConfigError(`--root ${root} holds this program itself; choose a folder of your own`)
  for (const name of KEY_NAMES.filter((key) => keyOf(key).private === true)) {
    const value = values[name]
    if (typeof value !== 'string' || isPostgres(value) || !isInside(files.realPath(value), root)) continue
    throw new ConfigError(`${flagName(name)} ${value} lies inside the served folder ${root}, where users could read it; move one of them`)
  }
}

/**
 * A configuration file that was found and not named by the operator must not lie in a served folder: users who may upload there would choose the settings
 * of the next start, such as the root, or that nobody has to sign in (A19). Throws `ConfigError`.
 */
export function checkFoundFile(file: string, root: string, files: Files): void {
  const place = files.realPath(file)
  if (!isInside(place, files.realPath(root)) && !hasServedFolderAbove(place, files)) return
  throw new ConfigError(`${file} lies in a served folder, where users could write it; move it, or name it with --config if it is yours`)
}

/** The root may be written in the very file that is in question: a folder that was served carries its mark. */
function hasServedFolderAbove(place: string, files: Files): boolean {
  const folder = dirname(place)
  return files.read(join(folder, SERVED_MARK)) !== null || (folder !== place && hasServedFolderAbove(folder, files))
}

/** What starts all the same and should be known. */
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
