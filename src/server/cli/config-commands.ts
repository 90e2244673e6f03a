import * as z from 'zod/mini'
import { ConfigError } from '../config/config-error.ts'
import { shownDatabase } from '../config/database-location.ts'
import { explain } from '../config/explain.ts'
import { flagName, KEY_NAMES, keyLike, type KeyName, keyNamed } from '../config/settings-table.ts'
import { Settings } from '../settings/settings.ts'
import { defineCommand, type Call, type Command, type Flag } from './command.ts'
import { CONFIG_FLAGS, idleIn, saysSomething, settingsWith } from './config-flags.ts'
import { checkChange, type AdminContext } from './admin-context.ts'
import { json, visible } from './print.ts'
import { isRecord } from './records.ts'
import { checkWritable, writeServerOptions } from './server-options.ts'
import { issueTexts } from '../../shared/errors.ts'

export const WRITE_CONFIG: Flag = {
  name: 'write-config',
  kind: 'text',
  about: 'write options of the server into this configuration file (.json, .yaml)',
}
/** These say where the command itself looks; as options of the server they are written only if a file is named. */
const WHERE: ReadonlySet<KeyName> = new Set(['config', 'database', 'dataDir', 'newDatabase', 'newRoot'])

export const CONFIG_COMMANDS: readonly Command[] = [
  defineCommand('config cat', 'the settings that are stored; secrets are hidden', cat),
  defineCommand('config set', 'change settings; what is not given stays', set, { flags: [...CONFIG_FLAGS, WRITE_CONFIG], server: 'all' }),
  defineCommand('config init', 'make the database, with these settings; fails if there is one', init, {
    flags: [...CONFIG_FLAGS, WRITE_CONFIG],
    server: 'all',
  }),
  defineCommand(
    'config explain [setting] …',
    'where options of the server come from, and what they override',
    async (call) => call.terminal.out(explained(call)),
    { server: 'all' },
  ),
]

async function cat(call: Call): Promise<void> {
  show(call, await (await call.openAdmin()).settings())
}

async function set(call: Call): Promise<void> {
  const target = serverTarget(call)
  if (!saysSomething(call.flags) && target === null)
    throw new ConfigError('nothing to change was given; satchel config set --help lists what can be')
  const admin = await call.openAdmin()
  await apply(call, admin)
  target?.()
  show(call, await admin.settings())
}

async function init(call: Call): Promise<void> {
  const { serverSettings } = call
  const database = shownDatabase(serverSettings.database)
  if (!(await call.isFirstStart(serverSettings))) throw new ConfigError(`there is a database at ${database} already; config set changes it`)
  const target = serverTarget(call)
  // An invalid value is reported before anything is changed.
  const fresh = Settings.parse({})
  await checkChange(fresh, wanted(fresh, call.flags))
  const admin = await call.openAdmin({ create: true })
  await apply(call, admin)
  target?.()
  call.terminal.complain(`satchel: made the database ${database}; "satchel users add <name> --perm.admin" makes an administrator`)
  show(call, await admin.settings())
}

async function apply({ flags, terminal }: Call, admin: AdminContext): Promise<void> {
  for (const name of idleIn(flags)) terminal.complain(`satchel: ${name} has no effect`)
  await admin.changeSettings((before) => wanted(before, flags))
}

function wanted(before: Settings, flags: Call['flags']): Settings {
  try {
    return settingsWith(before, flags)
  } catch (error) {
    if (!(error instanceof z.core.$ZodError)) throw error
    throw new ConfigError(issueTexts(error).join('; '), { cause: error })
  }
}

/**
 * Returns a function that writes the given server options, or null if there are none. They are never stored in the database. Throws `ConfigError`.
 */
function serverTarget({ serverFlags, flags, cwd }: Call): (() => void) | null {
  const file = flags.get('write-config')
  const given = new Map(
    [...serverFlags].filter(
      ([name]) => name !== 'config' && name !== 'newDatabase' && name !== 'newRoot' && (file !== undefined || !WHERE.has(name)),
    ),
  )
  if (given.size === 0 && file === undefined) return null
  if (file === undefined) {
    const names = [...given.keys()].map(flagName).join(', ')
    throw new ConfigError(
      `${names}: options of the server are not kept in the database; give them at its start or in the environment, or add --write-config FILE`,
    )
  }
  checkWritable(String(file), cwd)
  return () => writeServerOptions(String(file), given, cwd)
}

function explained({ args, sources, cwd }: Call): string {
  const keys = args.map((name) => keyNamed(name) ?? unknownKey(name))
  return (keys.length === 0 ? KEY_NAMES : keys).map((key) => explain(key, sources.get(key) ?? [], cwd)).join('\n\n')
}

function unknownKey(name: string): never {
  const like = keyLike(name)
  throw new ConfigError(`unknown setting ${name}${like === null ? '; --help lists them all' : `; did you mean ${like}?`}`)
}

/** Secrets are hidden, and what the first minute of this instance has come to is no setting. */
function show({ terminal, json: asJson }: Call, stored: Settings): void {
  const { recaptcha, printedPassword: _, welcome: __, ...settings } = stored
  const secret = recaptcha === null || recaptcha.secret === '' ? '' : '(hidden)'
  const mail = { ...settings.mail, password: settings.mail.password === '' ? '' : '(hidden)' }
  const shown = { ...settings, mail, recaptcha: recaptcha === null ? null : { ...recaptcha, secret } }
  terminal.out(asJson ? json(shown) : linesOf(shown).join('\n'))
}

/** A record as aligned lines, with dotted names. */
function linesOf(record: Readonly<Record<string, unknown>>): string[] {
  const pairs = flat(record, '')
  const width = Math.max(...pairs.map(([name]) => name.length))
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${value === '' ? '(empty)' : visible(value)}`)
}

function flat(record: Readonly<Record<string, unknown>>, prefix: string): [string, string][] {
  return Object.entries(record).flatMap(([name, value]): [string, string][] => {
    if (isRecord(value)) return flat(value, `${prefix}${name}.`)
    if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return [[prefix + name, value.join(' | ')]]
    return [[prefix + name, typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)]]
  })
}
