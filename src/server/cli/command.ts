import type { FilePath } from '../../shared/file-path.ts'
import type { KeyName, Values } from '../config/keys.ts'
import type { Candidate } from '../config/sources.ts'
import type { Settings } from '../settings/settings.ts'
import type { AdminContext } from './admin-context.ts'

export interface Terminal {
  readonly out: (line: string) => void
  readonly complain: (line: string) => void
}

/** How the value of a flag is written: `list` is split at commas, `words` at spaces; a switch needs no value. */
export type FlagKind = 'text' | 'switch' | 'count' | 'list' | 'words'

export interface Flag {
  /** As it is shown; read in any spelling of case, dashes and underscores. A point goes into a record: `perm.admin`. */
  readonly name: string
  readonly kind: FlagKind
  readonly about: string
  /** One letter. */
  readonly short?: string
}

export type FlagValue = string | boolean | number | readonly string[]
/** By name; what was not given is not there. */
export type FlagValues = ReadonlyMap<string, FlagValue>

/** The server's settings, as a command needs them: where things lie. */
export type ServerSettings = Omit<Values, 'database'> & { readonly database: string }

/** What a command asks of the rest of the program. `argv` is what it was given of the server's own flags. */
export interface CommandEnvironment {
  readonly terminal: Terminal
  readonly cwd: string
  readonly version: string
  /** Every value of every setting of the server, wherever it was written. Throws `ConfigError`. */
  sources(argv: readonly string[]): ReadonlyMap<KeyName, readonly Candidate[]>
  /** The settings of the server. Throws `ConfigError`. */
  load(argv: readonly string[]): ServerSettings
  /** Whether there is no database yet. Throws `ConfigError` where there was one that is gone. */
  isFirstStart(serverSettings: ServerSettings): Promise<boolean>
  /** With its parents, below the served folder; an existing folder is fine. */
  makeHome(serverSettings: ServerSettings, path: FilePath): Promise<void>
  /** Why programs cannot run in a sandbox here; null when they can. */
  /** Why programs cannot run in a sandbox here, and which of its walls is missing where they can; null where there is nothing to say. */
  sandboxState(): Promise<{ problem: string | null; weakness: string | null }>
  /** Why nobody could sign in, or anybody, with these settings; null when all is well. */
  signInProblem(settings: Settings, serverSettings: ServerSettings): string | null
}

/** One run of a command. */
export interface Call extends Omit<CommandEnvironment, 'sources' | 'load'> {
  readonly args: readonly string[]
  readonly flags: FlagValues
  /** Whether data is printed for programs. */
  readonly json: boolean
  readonly serverSettings: ServerSettings
  readonly sources: ReadonlyMap<KeyName, readonly Candidate[]>
  /** The settings of the server that were given as flags, in the order of the table. */
  readonly serverFlags: ReadonlyMap<KeyName, string>
  /** Opens the database, which must be there, unless told to make it. It is closed after the command. Throws `ConfigError`. */
  openAdmin(options?: { create: true }): Promise<AdminContext>
}

export interface Command {
  /** One or two words. */
  readonly name: string
  /** As the help shows them: `<name>` must be given, `[name]` may be, `…` stands for any number. */
  readonly args: string
  readonly about: string
  readonly flags?: readonly Flag[]
  /** Which of the server's flags make sense besides those that say where things lie. */
  readonly server?: 'all'
  /** Needs no settings of the server at all, so that a wrong one is not in the way. */
  readonly alone?: true
  run(call: Call): Promise<void>
}
