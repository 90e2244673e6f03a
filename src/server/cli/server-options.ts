import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { Document, parseDocument } from 'yaml'
import { ConfigError } from '../config/config-error.ts'
import { type KeyName, keyNamed, keyOf } from '../config/settings-table.ts'
import { boolean } from '../config/kinds.ts'
import { orElse } from '../../shared/errors.ts'
import { isRecord } from './records.ts'

/** Fails early if a configuration file cannot be written. Throws `ConfigError`. */
export function checkWritable(file: string, cwd: string): void {
  const path = resolve(cwd, file)
  if (!isYaml(path) && extname(path) !== '.json') throw new ConfigError(`${path}: a configuration file is written as .json, .yaml or .yml`)
  try {
    const old = realPathOf(path)
    if (existsSync(old)) accessSync(old, constants.W_OK)
    // A new file takes its place.
    accessSync(dirname(old), constants.W_OK)
  } catch (error) {
    throw new ConfigError(`${path} cannot be written`, { cause: error })
  }
  readOptions(path)
}

/**
 * Writes server options into a configuration file in one step; other options and, in YAML, comments are kept, and so are mode and owner: the server may
 * run as another account. Throws `ConfigError`.
 */
export function writeServerOptions(file: string, options: ReadonlyMap<KeyName, string>, cwd: string): void {
  const path = realPathOf(resolve(cwd, file))
  const temporary = `${path}.${process.pid}.part`
  try {
    writeFileSync(temporary, merged(path, options), { mode: 0o600, flush: true })
    keepAccess(path, temporary)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    if (error instanceof ConfigError) throw error
    throw new ConfigError(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** Where a link leads, so that it stays a link. */
function realPathOf(path: string): string {
  return orElse(path, () => realpathSync(path))
}

function keepAccess(old: string, fresh: string): void {
  const stat = statSync(old, { throwIfNoEntry: false })
  if (stat === undefined) return
  // Only root can give a file away; then it may be read by the account that could change it.
  orElse(undefined, () => chownSync(fresh, stat.uid, stat.gid))
  chmodSync(fresh, stat.mode & 0o777)
}

/** The same as text, to be copied. */
export function optionsText(options: ReadonlyMap<KeyName, string>): string {
  return JSON.stringify(Object.fromEntries([...options].map(([name, text]) => [name, valueOf(name, text)])), null, 2)
}

function merged(path: string, options: ReadonlyMap<KeyName, string>): string {
  const values = [...options].map(([name, text]) => [name, valueOf(name, text)] as const)
  if (isYaml(path)) {
    const document = existsSync(path) ? parseDocument(readFileSync(path, 'utf8')) : new Document({})
    const old = Object.keys(readOptions(path))
    for (const [name, value] of values) {
      for (const spelling of old.filter((one) => keyNamed(one) === name && one !== name)) document.delete(spelling)
      document.set(name, value)
    }
    return String(document)
  }
  const kept = Object.entries(readOptions(path)).filter(([spelling]) => !values.some(([name]) => keyNamed(spelling) === name))
  return `${JSON.stringify(Object.fromEntries([...kept, ...values]), null, 2)}\n`
}

function readOptions(path: string): Record<string, unknown> {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (text.trim() === '') return {}
  try {
    const read: unknown = isYaml(path) ? parseDocument(text).toJS({ maxAliasCount: 0 }) : JSON.parse(text)
    if (isRecord(read)) return read
  } catch (error) {
    throw new ConfigError(`${path} cannot be read as a configuration file`, { cause: error })
  }
  throw new ConfigError(`${path} is no list of settings`)
}

function valueOf(name: KeyName, text: string): string | boolean {
  return keyOf(name).kind === boolean ? boolean.parse(text, '') : text
}

function isYaml(path: string): boolean {
  return ['.yaml', '.yml'].includes(extname(path))
}
