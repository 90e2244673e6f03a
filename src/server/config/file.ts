import { createRequire } from 'node:module'
import { basename, extname, join } from 'node:path'
import type * as Yaml from 'yaml'
import { ConfigError } from './config-error.ts'
import { isFrom, keyLike, keyNamed, type KeyName, keyOf } from './settings-table.ts'
import type { Candidate, Files, Given } from './sources.ts'

const STEMS = ['.satchel', '.filebrowser']
const EXTENSIONS = ['.json', '.toml', '.yaml', '.yml']

export interface FileRead {
  readonly given: Given
  readonly warnings: readonly string[]
}

/** Where a configuration file is looked for; the first that exists is the only one read. */
export function configFilesFor({ cwd, home }: { cwd: string; home: string | undefined }): string[] {
  const folders = [cwd, ...(home === undefined || home === '' ? [] : [home]), '/etc/satchel', '/etc/filebrowser']
  return folders.flatMap((folder) => STEMS.flatMap((stem) => EXTENSIONS.map((extension) => join(folder, stem + extension))))
}

/** The settings of a file. An unknown key is an error in our files and a warning in the predecessor's. */
export function readConfigFile(file: string, files: Files): FileRead | null {
  const text = reading(file, () => files.read(file))
  if (text === null) return null
  const given = new Map<KeyName, Candidate>()
  const warnings: string[] = []
  for (const [written, value] of Object.entries(tableOf(file, text))) {
    const name = keyNamed(written)
    if (name !== null && isFrom(name, 'file')) {
      given.set(name, { from: 'file', name: file, text: textOf(file, name, value) })
      continue
    }
    if (!basename(file).startsWith('.filebrowser')) throw new ConfigError(unknown(file, written))
    warnings.push(`${file}: ${written} is no setting and was ignored`)
  }
  return { given, warnings }
}

function unknown(file: string, written: string): string {
  const like = keyLike(written)
  return `${file}: unknown setting ${written}${like === null ? '' : `; did you mean ${like}?`}`
}

function tableOf(file: string, text: string): object {
  const table = reading(file, () => parse(extname(file), text.replace(/^\uFEFF/, '')))
  if (table === null || table === undefined || table === '') return {}
  if (typeof table !== 'object' || Array.isArray(table)) throw new ConfigError(`${file}: not a list of settings and values`)
  return table
}

function parse(extension: string, text: string): unknown {
  if (extension === '.toml') return Bun.TOML.parse(text)
  // Without types, values stay as written: `0666` is a mode, not a number. Without aliases, a small file stays small.
  if (extension === '.yaml' || extension === '.yml') return yaml().parse(text, { schema: 'failsafe', maxAliasCount: 0 })
  return text.trim() === '' ? {} : JSON.parse(text)
}

/** A large module, and most servers have no YAML file. */
function yaml(): typeof Yaml {
  return createRequire(import.meta.url)('yaml') as typeof Yaml
}

function textOf(file: string, name: KeyName, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return keyOf(name).kind.fromNumber?.(value) ?? String(value)
  if (typeof value === 'string' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map((part) => textOf(file, name, part)).join(',')
  throw new ConfigError(`${file}: ${name}: not a single value`)
}

function reading<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw new ConfigError(`${file}: ${reason}`, { cause: error })
  }
}
