import { ConfigError } from '../config/config-error.ts'
import type { KeyName } from '../config/keys.ts'
import { isFolder } from '../settings/is-folder.ts'
import type { Settings } from '../settings/settings.ts'
import type { Call } from './command.ts'
import { fromPrefixRules } from './prefix-rules.ts'
import { readScope } from './scopes.ts'
import { optionsText, writeServerOptions } from './server-options.ts'
import { readSettingsRecord } from './settings-record.ts'

/** Settings of an export or a database, the predecessor's or ours. */
export interface SettingsRecord {
  readonly settings: Readonly<Record<string, unknown>>
  readonly server: Readonly<Record<string, unknown>>
  /** The record of the sign-in method. */
  readonly auther: unknown
}

/** The settings of a record as ours, and what was changed or left out. `root` is the served folder. Throws `ConfigError`. */
export async function importedSettings(record: SettingsRecord, root: string): Promise<{ settings: Settings; notes: string[] }> {
  const { taken, notes } = readSettingsRecord(record.settings, record.auther)
  const { rules, notes: aboutRules } = isOld(record.server) ? fromPrefixRules(taken.rules, 'settings') : { rules: taken.rules, notes: [] }
  const files = taken.branding.files === '' || (await isFolder(taken.branding.files)) ? taken.branding.files : null
  const lost = files === null ? [`branding.files: ${taken.branding.files} is no folder here; set it with config set --branding.files`] : []
  const settings = {
    ...taken,
    rules: [...rules],
    defaults: { ...taken.defaults, scope: scopeOf(taken.defaults.scope, record.server, root) },
    branding: { ...taken.branding, files: files ?? '' },
  }
  return { settings, notes: [...notes, ...aboutRules, ...lost] }
}

/** Options of the server come from flags, the environment or a file, never from the database: writes them to a file, or says where to put them. */
export function placeOptions({ terminal, cwd }: Call, options: ReadonlyMap<KeyName, string>, target: string | null): void {
  if (options.size === 0) return
  if (target !== null) {
    writeServerOptions(target, options, cwd)
    return terminal.out(`wrote the options of the server to ${target}: ${[...options.keys()].join(', ')}`)
  }
  terminal.out(`these options of the server were in the file; put them into a configuration file such as ${cwd}/.satchel.json:`)
  terminal.out(optionsText(options))
}

/** A record of 2.17 or before, which did not have this option. */
function isOld(server: Readonly<Record<string, unknown>>): boolean {
  return !Object.hasOwn(server, 'tokenExpirationTime')
}

/** The scope of new accounts, converted like that of any account. */
function scopeOf(scope: string, server: Readonly<Record<string, unknown>>, root: string): string {
  const oldRoot = typeof server.root === 'string' && server.root.startsWith('/') ? server.root : null
  const read = readScope(scope, { root, oldRoot, generation: isOld(server) ? 'A' : 'B' })
  if ('problem' in read) throw new ConfigError(`nothing was taken over: defaults.scope: ${read.problem}`)
  return read.scope
}
