import { join } from 'node:path'
import { checkFoundFile, checkTogether, warningsFor } from './config/checks.ts'
import { BadValue, ConfigError } from './config/config-error.ts'
import { hasPassword, isPostgres } from './config/database-location.ts'
import { readEnvironment } from './config/environment.ts'
import { configFilesFor, readConfigFile, type FileRead } from './config/file.ts'
import { type CommandLine, readFlags } from './config/parse-flags.ts'
import { KEY_NAMES, type KeyName, keyOf, type Values } from './config/settings-table.ts'
import type { Candidate, Files, Given } from './config/sources.ts'

/** The operator's configuration: every setting, parsed. Paths are absolute, durations in milliseconds. */
export interface Config extends Omit<Values, 'database'> {
  readonly database: string
}

export interface LoadOptions {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly files: Files
  /** The folder of this program, which is never served. */
  readonly program: string
}

/** Every value that was set anywhere, by key; the first one wins, the last is the default. */
export type Sources = ReadonlyMap<KeyName, readonly Candidate[]>

export interface Written extends Pick<CommandLine, 'words' | 'asks'> {
  readonly sources: Sources
  /** A configuration file that was found in a default location; null if one was named or none exists. */
  readonly foundFile: string | null
  readonly warnings: readonly string[]
}

export interface Loaded {
  readonly config: Config
  readonly sources: Sources
  readonly warnings: readonly string[]
}

/** Parses flags, environment and file, in this order of precedence, over the defaults. Throws `ConfigError` for the first invalid value. */
export function loadConfig(options: LoadOptions): Loaded {
  const { sources, foundFile, warnings } = readWritten(options)
  const values = valuesOf(sources, options.cwd)
  const config = { ...values, database: values.database ?? join(values.dataDir, 'satchel.db') }
  const isGiven = (name: KeyName): boolean => sources.get(name)?.[0]?.from !== 'default'
  checkTogether(config, { files: options.files, isGiven, program: options.program })
  if (foundFile !== null)
    for (const served of [config.root, ...config.roots.map(({ address }) => address)]) checkFoundFile(foundFile, served, options.files)
  return { config, sources, warnings: [...warnings, ...warningsFor(config), ...exposed(sources)] }
}

/** Settings that every account of this machine can see in the process list. */
function exposed(sources: Sources): string[] {
  const [written] = sources.get('database') ?? []
  if (written?.from !== 'flag' || !isPostgres(written.text) || !hasPassword(written.text)) return []
  return [
    '--database: every account of this machine can see the password on the command line; SATCHEL_DATABASE or the file keeps it to yours',
  ]
}

/** Values as written, before they are checked. */
export function readWritten({ argv, env, cwd, files }: Omit<LoadOptions, 'program'>): Written {
  const flags = readFlags(argv)
  const environment = readEnvironment(env)
  const named = flags.given.get('config') ?? environment.given.get('config')
  const file = readFile({ named, cwd, home: env.HOME, files })
  const sources = collect([flags.given, environment.given, file.given])
  const warnings = [...environment.warnings, ...file.warnings]
  return { words: flags.words, asks: flags.asks, sources, foundFile: file.found, warnings }
}

interface FileAsked {
  readonly named: Candidate | undefined
  readonly cwd: string
  readonly home: string | undefined
  readonly files: Files
}

function readFile({ named, cwd, home, files }: FileAsked): FileRead & { found: string | null } {
  if (named !== undefined && named.text !== '') {
    const file = String(valueOf('config', named, cwd))
    return { ...(readConfigFile(file, files) ?? refuse(`${file}: there is no such configuration file`)), found: null }
  }
  for (const place of configFilesFor({ cwd, home })) {
    const read = readConfigFile(place, files)
    if (read !== null) return { ...read, found: place }
  }
  return { given: new Map(), warnings: [], found: null }
}

function collect(given: readonly Given[]): Sources {
  return new Map(
    KEY_NAMES.map((name) => {
      const fallback: Candidate = { from: 'default', name: 'default', text: keyOf(name).fallback }
      return [name, [...given.flatMap((source) => source.get(name) ?? []), fallback]]
    }),
  )
}

function valuesOf(sources: Sources, cwd: string): Values {
  const values = Object.fromEntries(KEY_NAMES.map((name) => [name, valueOf(name, sources.get(name)?.[0], cwd)]))
  // Proven by the line above: each key of the table is present, parsed by the kind that its type comes from.
  return values as unknown as Values
}

function valueOf(name: KeyName, candidate: Candidate | undefined, cwd: string): unknown {
  const { kind, fallback, secret } = keyOf(name)
  try {
    return kind.parse(candidate?.text ?? fallback, cwd)
  } catch (error) {
    if (!(error instanceof BadValue) || candidate === undefined) throw error
    const place = candidate.from === 'file' ? `${candidate.name}: ${name}` : candidate.name
    const shown = secret === true ? 'the value' : JSON.stringify(kind.shown?.(candidate.text) ?? candidate.text)
    return refuse(`${place}: ${shown} is not ${error.message}`)
  }
}

function refuse(line: string): never {
  throw new ConfigError(line)
}
