import { ConfigError } from '../config/config-error.ts'
import type { KeyName } from '../config/keys.ts'
import type { Settings } from '../settings/settings.ts'
import type { Call, Command } from './command.ts'
import { WRITE_CONFIG } from './config-commands.ts'
import { FROM_FILE, readImport, writeExport } from './import-export.ts'
import { isFolder } from '../settings/is-folder.ts'
import { fromPrefixRules } from './prefix-rules.ts'
import { isRecord } from './records.ts'
import { autherOf, serverBlock, serverOptions } from './server-block.ts'
import { checkWritable, optionsText, writeServerOptions } from './server-options.ts'
import { readScope } from './scopes.ts'
import { readSettingsRecord } from './settings-record.ts'
import { createReach } from '../webhooks/reach.ts'
import { readRecords, toRecord } from '../webhooks/record.ts'
import type { StoredWebhook } from '../webhooks/store.ts'

export const CONFIG_FILE_COMMANDS: readonly Command[] = [
  {
    name: 'config export',
    args: '<file>',
    about: 'write all settings and webhooks, with secrets, to a .json or .yaml file',
    run: exportConfig,
  },
  {
    name: 'config import',
    args: '<file>',
    about: 'take the settings of such a file or one of File Browser’s; options of the server go into --write-config',
    flags: [WRITE_CONFIG],
    run: importConfig,
  },
]

async function exportConfig(call: Call): Promise<void> {
  const admin = await call.openAdmin()
  const settings = await admin.settings()
  // The printed password belongs to this instance.
  const { recaptcha: _, auth: __, printedPassword: ___, ...stored } = settings
  const webhooks = (await admin.webhooks.all()).map(toRecord)
  const record = { settings: stored, server: serverBlock(call.serverSettings), auther: autherOf(settings), webhooks }
  const path = writeExport(call.args[0] ?? '', record, { cwd: call.cwd, root: call.serverSettings.root })
  call.terminal.out(`wrote the settings to ${path}; it may hold secrets`)
}

async function importConfig(call: Call): Promise<void> {
  const { args, flags, cwd, terminal } = call
  const file = readImport(args[0] ?? '', cwd)
  if (!isRecord(file) || !isRecord(file.settings) || !isRecord(file.server))
    throw new ConfigError('nothing was taken over: the file has no settings and server, as config export writes them')
  const target = flags.get('write-config')
  if (target !== undefined) checkWritable(String(target), cwd)
  const { options, notes: aboutServer } = serverOptions(file.server)
  const admin = await call.openAdmin()
  const { taken: read, notes } = readSettingsRecord(file.settings, file.auther)
  const { rules, notes: aboutRules } = isOld(file.server) ? fromPrefixRules(read.rules, 'settings') : { rules: read.rules, notes: [] }
  const taken = { ...read, rules: [...rules] }
  const scope = scopeOf(taken.defaults.scope, file.server, call)
  const webhooks = webhooksOf(file.webhooks, call)
  const files = taken.branding.files === '' || (await isFolder(taken.branding.files)) ? taken.branding.files : null
  const settings: Settings = { ...taken, defaults: { ...taken.defaults, scope }, branding: { ...taken.branding, files: files ?? '' } }
  await admin.changeSettings(({ printedPassword }) => ({ ...settings, printedPassword }))
  if (webhooks !== null) {
    await admin.webhooks.replaceAll(webhooks)
    admin.note({ kind: 'webhooks-changed', subject: '', details: [FROM_FILE] })
  }

  if (target !== undefined && options.size > 0) writeServerOptions(String(target), options, cwd)
  terminal.out('took the settings over')
  const lost = files === null ? [`branding.files: ${taken.branding.files} is no folder here; set it with config set --branding.files`] : []
  for (const note of [...notes, ...aboutRules, ...lost, ...aboutServer]) terminal.complain(`satchel: ${note}`)
  sayOptions(call, options, target === undefined ? null : String(target))
}

/** Options of the server come from flags, the environment or a file, never from the database, so an import prints where to put them. */
function sayOptions({ terminal, cwd }: Call, options: ReadonlyMap<KeyName, string>, target: string | null): void {
  if (options.size === 0) return
  if (target !== null) return terminal.out(`wrote the options of the server to ${target}: ${[...options.keys()].join(', ')}`)
  terminal.out(`these options of the server were in the file; put them into a configuration file such as ${cwd}/.satchel.json:`)
  terminal.out(optionsText(options))
}

/** Null if the file contains none, as with the predecessor's files: existing webhooks are kept. Throws `ConfigError`. */
function webhooksOf(given: unknown, { serverSettings }: Call): readonly StoredWebhook[] | null {
  if (given === undefined) return null
  const read = readRecords(given, createReach({ allowed: serverSettings.webhookNetworks }))
  if ('issues' in read) throw new ConfigError(`nothing was taken over:\n  ${read.issues.map((issue) => `webhooks.${issue}`).join('\n  ')}`)
  return read.hooks
}

/** An export of 2.17, which did not have this option. */
function isOld(server: Readonly<Record<string, unknown>>): boolean {
  return !Object.hasOwn(server, 'tokenExpirationTime')
}

/** The scope of new accounts, converted like that of any account. */
function scopeOf(scope: string, server: Readonly<Record<string, unknown>>, { serverSettings }: Call): string {
  const oldRoot = typeof server.root === 'string' && server.root.startsWith('/') ? server.root : null
  const read = readScope(scope, { root: serverSettings.root, oldRoot, generation: isOld(server) ? 'A' : 'B' })
  if ('problem' in read) throw new ConfigError(`nothing was taken over: defaults.scope: ${read.problem}`)
  return read.scope
}
