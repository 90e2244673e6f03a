import type { Access } from '../access/access.ts'
import type { KeyName, Values } from '../config/settings-table.ts'
import type { Candidate } from '../config/sources.ts'
import type { Drive } from '../drive/drive.ts'
import type { LookAtRoot } from '../roots/look.ts'
import type { Settings } from '../settings/settings.ts'
import type { AdminContext } from './admin-context.ts'

export interface Terminal {
  readonly out: (line: string) => void
  readonly complain: (line: string) => void
}

/** How the value of a flag is written: `list` is separated by commas, `words` by spaces; a switch needs no value. */
export type FlagKind = 'text' | 'switch' | 'count' | 'list' | 'words'

export interface Flag {
  /** As shown in the help; accepted in any spelling of case, dashes and underscores. A dot addresses a record: `perm.admin`. */
  readonly name: string
  readonly kind: FlagKind
  readonly about: string
  /** One letter. */
  readonly short?: string
}

export type FlagValue = string | boolean | number | readonly string[]
/** By name; flags that were not given are absent. */
export type FlagValues = ReadonlyMap<string, FlagValue>

/** The server's settings as commands need them: paths, above all. */
export type ServerSettings = Omit<Values, 'database'> & { readonly database: string }

/** What a command needs from the rest of the program. `argv` are the server's own flags that it was given. */
export interface CommandEnvironment {
  readonly terminal: Terminal
  readonly cwd: string
  readonly version: string
  /** All values of all settings of the server, wherever they were set. Throws `ConfigError`. */
  sources(argv: readonly string[]): ReadonlyMap<KeyName, readonly Candidate[]>
  load(argv: readonly string[]): ServerSettings
  /** Whether there is no database yet. Throws `ConfigError` if there was one that has disappeared. */
  isFirstStart(serverSettings: ServerSettings): Promise<boolean>
  /** What is served, as far as an account may see it. Throws `ConfigError` if the main folder is missing. */
  openRoot(served: Pick<ServerSettings, 'root' | 'roots'>): Promise<(access: Access) => Drive>
  /** Reads its disk. */
  readonly lookAtRoot: LookAtRoot
  /** Why programs cannot run in a sandbox here, and which layer of it is missing if they can; null if all is well. */
  sandboxState(): Promise<{ problem: string | null; weakness: string | null }>
  /** Why no user, or every client, could sign in with these settings; null if they are fine. */
  signInProblem(settings: Settings, serverSettings: ServerSettings): string | null
}

export interface Call extends Omit<CommandEnvironment, 'sources' | 'load'> {
  readonly args: readonly string[]
  readonly flags: FlagValues
  readonly json: boolean
  readonly serverSettings: ServerSettings
  readonly sources: ReadonlyMap<KeyName, readonly Candidate[]>
  /** The server's settings that were given as flags, in the order of the table. */
  readonly serverFlags: ReadonlyMap<KeyName, string>
  /** Opens the database, which must exist unless `create` is set. It is closed after the command. Throws `ConfigError`. */
  openAdmin(options?: { create: true }): Promise<AdminContext>
}

export interface Command {
  /** One or two words. */
  readonly name: string
  /** As shown in the help: `<name>` is required, `[name]` optional, `…` means any number. */
  readonly args: string
  readonly about: string
  readonly flags?: readonly Flag[]
  /** Which flags of the server are accepted besides those for paths. */
  readonly server?: 'all'
  /** Needs no settings of the server, so an invalid one does not matter. */
  readonly alone?: true
  /** The settings that it works with, made from those of the server. */
  readonly settings?: (given: ServerSettings, sources: Call['sources']) => ServerSettings
  run(call: Call): Promise<void>
}

/** @param usage the name, and then the arguments as the help shows them */
export function defineCommand(
  usage: string,
  about: string,
  run: Command['run'],
  more: Pick<Command, 'flags' | 'server' | 'alone' | 'settings'> = {},
): Command {
  const [, name = '', args = ''] = /^([a-z -]*[a-z]) ?(.*)$/.exec(usage) ?? []
  return { name, args, about, run, ...more }
}
