import { basename } from 'node:path'
import { ConfigError } from '../config/config-error.ts'
import type { KeyName } from '../config/settings-table.ts'
import { isFolder } from '../settings/is-folder.ts'
import { Settings } from '../settings/settings.ts'
import type { Call } from './command.ts'
import { fromPrefixRules } from './prefix-rules.ts'
import { readScope } from './scopes.ts'
import { optionsText, writeServerOptions } from './server-options.ts'
import * as z from 'zod/mini'
import { parsePermissions } from '../access/permissions.ts'
import { isRecord, recordOr } from './records.ts'
import { issueTexts } from '../../shared/errors.ts'

/** Settings of an export or a database, the predecessor's or ours. */
export interface SettingsRecord {
  readonly settings: Readonly<Record<string, unknown>>
  readonly server: Readonly<Record<string, unknown>>
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
export function placeOptions({ terminal, cwd, sources }: Call, options: ReadonlyMap<KeyName, string>, target: string | null): void {
  if (options.size === 0) return
  if (target !== null) {
    writeServerOptions(target, options, cwd)
    return terminal.out(`wrote the options of the server to ${target}: ${[...options.keys()].join(', ')}`)
  }
  // Only one file is read: another one would hide it. Files of the old server stay as they are.
  const read = [...sources.values()].flat().find(({ from, name }) => from === 'file' && !basename(name).startsWith('.filebrowser'))
  terminal.out(
    `these options of the server were in the file; put them into ${read?.name ?? `a configuration file such as ${cwd}/.satchel.json`}:`,
  )
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

/** Known settings that have no use here, and why. */
const IDLE: ReadonlyMap<string, string> = new Map([
  ['key', 'sessions are rows of the database and not signed with a key'],
  ['fileMode', 'new files have mode 0640 here, and files that are replaced keep theirs'],
  ['dirMode', 'new folders have mode 0750 here, or less with a stricter umask'],
])

/**
 * The settings of an export, the predecessor's or ours, with the record of its sign-in method. Empty values become what the predecessor treated them
 * as. Throws `ConfigError`.
 */
function readSettingsRecord(record: Readonly<Record<string, unknown>>, auther: unknown): { taken: Settings; notes: string[] } {
  const defaults = recordOr(record.defaults)
  const tus = recordOr(record.tus)
  const commands = recordOr(record.commands)
  const { header, command, recaptcha } = recordOr(auther)
  const parsed = z.safeParse(Settings, {
    ...withoutEmpty(record, ['userHomeBasePath', 'minimumPasswordLength', 'logoutPage', 'authMethod', 'tus', 'rules', 'shell']),
    commands: withoutEmpty(commands, Object.keys(commands)),
    ...(tus.chunkSize !== undefined && tus.chunkSize !== 0 && { tus }),
    defaults: {
      ...withoutEmpty(defaults, ['viewMode', 'commands']),
      ...(isRecord(defaults.perm) && { perm: parsePermissions(defaults.perm) }),
      sorting: { by: 'name', asc: false, ...withoutEmpty(recordOr(defaults.sorting), ['by']) },
    },
    auth: { ...(typeof header === 'string' && { header }), ...(typeof command === 'string' && { command }) },
    recaptcha: isRecord(recaptcha) ? { host: '', key: '', secret: '', ...recaptcha } : null,
  })
  if (parsed.success) return { taken: parsed.data, notes: unknownNames(record, parsed.data) }
  const issues = issueTexts(parsed.error)
  throw new ConfigError(`nothing was taken over:\n  ${issues.join('\n  ')}`)
}

/** Without values that mean nothing under these names, so that the default applies. */
function withoutEmpty(record: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const isEmpty = (value: unknown): boolean => value === '' || value === 0 || value === null
  return Object.fromEntries(Object.entries(record).filter(([name, value]) => !(names.includes(name) && isEmpty(value))))
}

/** Names in the record, and in records inside it, that we do not have. */
function unknownNames(record: Readonly<Record<string, unknown>>, taken: Settings): string[] {
  const names = missing(record, taken, '').filter((name) => name !== 'hideDotfiles')
  return names.map((name) => `settings.${name} was left out: ${IDLE.get(name) ?? 'it means nothing here'}`)
}

function missing(record: Readonly<Record<string, unknown>>, known: Readonly<Record<string, unknown>>, prefix: string): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    if (!Object.hasOwn(known, name)) return [`${prefix}${name}`]
    const inside = known[name]
    return isRecord(value) && isRecord(inside) ? missing(value, inside, `${prefix}${name}.`) : []
  })
}
