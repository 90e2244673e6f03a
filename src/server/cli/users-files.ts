import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../config/config-error.ts'
import { type Account, toWire } from '../users/account.ts'
import { importAccounts } from '../users/import-accounts.ts'
import { defineCommand, type Call, type Command } from './command.ts'
import { FROM_FILE, readImport, writeExport } from './import-export.ts'
import { json, visible } from './print.ts'
import { readScope } from './scopes.ts'
import { readUserRecords } from './user-records.ts'

export const USERS_FILE_COMMANDS: readonly Command[] = [
  defineCommand('users export <file>', 'write all accounts, with the hashes of their passwords, to a .json or .yaml file', exportUsers),
  defineCommand('users import <file>', 'bring in accounts from such a file or one of File Browser’s; all of them or none', importUsers, {
    flags: [
      { name: 'overwrite', kind: 'switch', about: 'accounts whose id is there already become those of the file' },
      { name: 'replace', kind: 'switch', about: 'all accounts become those of the file; the old list is kept in users.backup.json' },
      { name: 'old-root', kind: 'text', about: 'the folder that File Browser served, where it had another path' },
    ],
  }),
]

async function exportUsers(call: Call): Promise<void> {
  const accounts = await (await call.openAdmin()).users.all()
  const path = writeExport(call.args[0] ?? '', accounts.map(exported), { cwd: call.cwd, root: call.serverSettings.root })
  call.terminal.out(`wrote ${accounts.length} ${accounts.length === 1 ? 'account' : 'accounts'} to ${path}; it holds password hashes`)
}

async function importUsers(call: Call): Promise<void> {
  const { args, flags, cwd, terminal, serverSettings } = call
  const oldRoot = flags.get('old-root')
  const [overwrite, replace] = [flags.get('overwrite') === true, flags.get('replace') === true]
  const roots = { root: serverSettings.root, oldRoot: oldRoot === undefined ? null : String(oldRoot) }
  const { records, notes, problems } = readUserRecords(readImport(args[0] ?? '', cwd), (scope, generation) =>
    readScope(scope, { ...roots, generation }),
  )
  if (problems.length > 0) throw new ConfigError(`nothing was brought in:\n  ${problems.join('\n  ')}`)
  const admin = await call.openAdmin()
  if (replace) {
    const old = await admin.users.all()
    const backup = writeExport(freeName(cwd), old.map(exported), { cwd, root: serverSettings.root })
    terminal.complain(`satchel: kept the ${old.length} old accounts in ${backup}`)
  }
  const done = await importAccounts(admin.db, records, { overwrite, replace, now: new Date() })
  if ('conflicts' in done) throw new ConfigError(`nothing was brought in:\n  ${done.conflicts.join('\n  ')}`)
  for (const { username, work: action } of done.accounts)
    admin.note({ kind: action === 'added' ? 'user-created' : 'user-changed', subject: username, details: [FROM_FILE] })
  for (const username of done.removed) admin.note({ kind: 'user-removed', subject: username, details: [FROM_FILE] })
  for (const note of notes) terminal.complain(`satchel: ${note}`)
  if (call.json) return terminal.out(json(done.accounts))
  for (const { id, username, work: action } of done.accounts) terminal.out(`${action} ${visible(username)} with the id ${id}`)
  for (const username of done.removed) terminal.out(`removed ${visible(username)}`)
}

/** In the predecessor's form, with the hash, which the API never returns. */
function exported(account: Account): Record<string, unknown> {
  const { secondFactor: _, ...record } = toWire(account)
  return { ...record, password: account.passwordHash }
}

/** A backup never replaces an older one. */
function freeName(cwd: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'users.backup.json' : `users.backup-${number}.json`
    if (!existsSync(join(cwd, name))) return name
  }
}
