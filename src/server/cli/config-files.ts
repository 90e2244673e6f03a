import { ConfigError } from '../config/config-error.ts'
import { defineCommand, type Call, type Command } from './command.ts'
import { WRITE_CONFIG } from './config-commands.ts'
import { FROM_FILE, readImport, writeExport } from './import-export.ts'
import { importedSettings, placeOptions } from './imported-settings.ts'
import { isRecord } from './records.ts'
import { autherOf, serverBlock, serverOptions } from './server-block.ts'
import { checkWritable } from './server-options.ts'
import { createReach } from '../webhooks/reach.ts'
import { readRecords, toRecord } from '../webhooks/record.ts'
import type { StoredWebhook } from '../webhooks/store.ts'

export const CONFIG_FILE_COMMANDS: readonly Command[] = [
  defineCommand('config export <file>', 'write all settings and webhooks, with secrets, to a .json or .yaml file', exportConfig),
  defineCommand(
    'config import <file>',
    'take the settings of such a file or one of File Browser’s; options of the server go into --write-config',
    importConfig,
    { flags: [WRITE_CONFIG] },
  ),
]

async function exportConfig(call: Call): Promise<void> {
  const admin = await call.openAdmin()
  const settings = await admin.settings()
  // The first minute belongs to this instance.
  const { recaptcha: _, auth: __, printedPassword: ___, welcome: ____, ...stored } = settings
  const webhooks = (await admin.webhooks.all()).map(toRecord)
  const record = { settings: stored, server: serverBlock(call.serverSettings), auther: autherOf(settings), webhooks }
  const path = writeExport(call.args[0] ?? '', record, { cwd: call.cwd, root: call.serverSettings.root })
  call.terminal.out(`wrote the settings to ${path}; it may hold secrets`)
}

async function importConfig(call: Call): Promise<void> {
  const { args, flags, cwd, terminal, serverSettings } = call
  const file = readImport(args[0] ?? '', cwd)
  if (!isRecord(file) || !isRecord(file.settings) || !isRecord(file.server))
    throw new ConfigError('nothing was taken over: the file has no settings and server, as config export writes them')
  const target = flags.get('write-config')
  if (target !== undefined) checkWritable(String(target), cwd)
  const { options, notes: aboutServer } = serverOptions(file.server)
  const admin = await call.openAdmin()
  const record = { settings: file.settings, server: file.server, auther: file.auther }
  const { settings, notes } = await importedSettings(record, serverSettings.root)
  const webhooks = webhooksOf(file.webhooks, call)
  await admin.changeSettings(({ printedPassword }) => ({ ...settings, printedPassword }))
  if (webhooks !== null) {
    await admin.webhooks.replaceAll(webhooks)
    admin.note({ kind: 'webhooks-changed', subject: '', details: [FROM_FILE] })
  }

  terminal.out('took the settings over')
  for (const note of [...notes, ...aboutServer]) terminal.complain(`satchel: ${note}`)
  placeOptions(call, options, target === undefined ? null : String(target))
}

/** Null if the file contains none, as with the predecessor's files: existing webhooks are kept. Throws `ConfigError`. */
function webhooksOf(given: unknown, { serverSettings }: Call): readonly StoredWebhook[] | null {
  if (given === undefined) return null
  const read = readRecords(given, createReach({ allowed: serverSettings.webhookNetworks }))
  if ('issues' in read) throw new ConfigError(`nothing was taken over:\n  ${read.issues.map((issue) => `webhooks.${issue}`).join('\n  ')}`)
  return read.hooks
}
