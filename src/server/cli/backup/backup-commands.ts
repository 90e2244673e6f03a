import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { sync, writeBackup } from '../../backup/write-backup.ts'
import { ConfigError } from '../../config/config-error.ts'
import { databaseLocationOf, isPostgres, shownDatabase } from '../../config/database-location.ts'
import { isFolder } from '../../settings/is-folder.ts'
import { defineCommand, type Call, type Command } from '../command.ts'
import { refuseServed } from '../import-export.ts'
import { json } from '../print.ts'
import { checkFree, restoreBackup } from './restore-backup.ts'
import { readBackup } from './read-backup.ts'

export const BACKUP_COMMANDS: readonly Command[] = [
  defineCommand('backup <file>', 'write accounts, settings, shares and branding into one file, also while the server runs', backup),
  defineCommand('restore <file>', 'put such a file in place, while no server runs; everybody signs in anew', restore, {
    flags: [{ name: 'force', kind: 'switch', about: 'in the place of a database that is there, which is kept beside' }],
  }),
]

async function backup(call: Call): Promise<void> {
  const { args, cwd, serverSettings, terminal, version } = call
  const file = resolve(cwd, args[0] ?? '')
  refuseServed(file, serverSettings.root)
  if (!existsSync(dirname(file))) throw new ConfigError(`there is no folder ${dirname(file)}`)
  const { files } = (await (await call.openAdmin()).settings()).branding
  const branding = files !== '' && (await isFolder(files)) ? files : null
  const made = await describeErrors(file, () =>
    writeBackup(file, { database: { place: databaseLocationOf(serverSettings.database) }, branding, version, now: new Date() }),
  )
  if (files !== '' && branding === null) terminal.complain(`satchel: the branding folder ${files} is not there and not in the backup`)
  const bytes = Bun.file(file).size
  if (call.json) return terminal.out(json({ file, bytes, parts: made.parts }))
  terminal.out(`wrote ${file} (${bytes} bytes); it holds password hashes and secrets, and no files of people`)
}

async function restore(call: Call): Promise<void> {
  const { args, flags, cwd, serverSettings, terminal, version } = call
  const file = resolve(cwd, args[0] ?? '')
  const { database } = serverSettings
  const shown = shownDatabase(database)
  const force = flags.get('force') === true
  await checkFree(database, { force })
  const beside = isPostgres(database) ? join(serverSettings.dataDir, 'restore') : database
  const made = mkdirSync(dirname(beside), { recursive: true, mode: 0o700 })
  // On the same disk, so that the last step is a rename.
  const folder = mkdtempSync(join(dirname(beside), '.satchel-restore-'))
  try {
    const manifest = await readBackup(file, folder)
    // Checked again: unpacking may have taken a while.
    await checkFree(database, { force })
    const notes = await describeErrors(shown, () => restoreBackup(folder, { manifest, version, ...serverSettings }))
    await sync(dirname(beside))
    for (const note of notes) terminal.complain(`satchel: ${note}`)
    terminal.out(
      call.json ? json({ database: shown, made: manifest.made }) : `restored ${shown} as of ${manifest.made}; everybody signs in anew`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
    if (made !== undefined) removeEmpty(dirname(beside), made)
  }
}

/** Removes a folder and those above it, up to `top`, as far as they are empty. */
function removeEmpty(folder: string, top: string): void {
  if (folder.length < top.length || readdirSync(folder).length > 0) return
  rmdirSync(folder)
  removeEmpty(dirname(folder), top)
}

/** Turns a system error about a path into one line for the terminal. */
async function describeErrors<T>(place: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error instanceof ConfigError) throw error
    throw new ConfigError(`${place} cannot be written: ${error.message}`, { cause: error })
  }
}
