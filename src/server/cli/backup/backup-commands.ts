import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { isPostgres, databaseLocationOf, shownDatabase } from '../../config/database-location.ts'
import { isThere } from '../../db/database.ts'
import { isFolder } from '../../settings/is-folder.ts'
import type { Call, Command } from '../command.ts'
import { refuseServed } from '../import-export.ts'
import { json } from '../print.ts'
import { checkFree, freeName, restoreBackup } from './restore-backup.ts'
import { readBackup } from './read-backup.ts'
import { writeBackup } from './write-backup.ts'

export const BACKUP_COMMANDS: readonly Command[] = [
  {
    name: 'backup',
    args: '<file>',
    about: 'write accounts, settings, shares and branding into one file, also while the server runs',
    run: backup,
  },
  {
    name: 'restore',
    args: '<file>',
    about: 'put such a file in place, while no server runs; everybody signs in anew',
    flags: [{ name: 'force', kind: 'switch', about: 'in the place of a database that is there, which is kept beside' }],
    run: restore,
  },
]

async function backup(call: Call): Promise<void> {
  const { args, cwd, serverSettings, terminal, version } = call
  const file = resolve(cwd, args[0] ?? '')
  refuseServed(file, serverSettings.root)
  if (!existsSync(dirname(file))) throw new ConfigError(`there is no folder ${dirname(file)}`)
  const { files } = (await (await call.openAdmin()).settings()).branding
  const branding = files !== '' && (await isFolder(files)) ? files : null
  const made = await describeErrors(file, () =>
    writeBackup(file, { database: serverSettings.database, branding, version, now: new Date() }),
  )
  if (files !== '' && branding === null) terminal.complain(`satchel: the branding folder ${files} is not there and not in the backup`)
  const bytes = Bun.file(file).size
  if (call.json) return terminal.out(json({ file, bytes, parts: made.parts }))
  terminal.out(`wrote ${file} (${bytes} bytes); it holds password hashes and secrets, and no files of people`)
}

async function restore(call: Call): Promise<void> {
  const { args, flags, cwd, serverSettings, terminal } = call
  const file = resolve(cwd, args[0] ?? '')
  const { database } = serverSettings
  const shown = shownDatabase(database)
  const force = flags.get('force') === true
  await checkFree(database, { force })
  const beside = isPostgres(database) ? join(serverSettings.dataDir, 'restore') : database
  mkdirSync(dirname(beside), { recursive: true, mode: 0o700 })
  // On the same disk, so that the last step is a rename.
  const folder = mkdtempSync(join(dirname(beside), '.satchel-restore-'))
  try {
    const manifest = await readBackup(file, folder)
    // Checked again: unpacking may have taken a while.
    await checkFree(database, { force })
    const kept = isPostgres(database) && (await isThere(databaseLocationOf(database))) ? await keepFormer(call) : []
    const notes = await describeErrors(shown, () => restoreBackup(folder, manifest, serverSettings))
    for (const note of [...kept, ...notes]) terminal.complain(`satchel: ${note}`)
    terminal.out(
      call.json ? json({ database: shown, made: manifest.made }) : `restored ${shown} as of ${manifest.made}; everybody signs in anew`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Saves the current PostgreSQL content as a backup in the data folder, which is never served: there is no file to keep. */
async function keepFormer({ serverSettings, version }: Call): Promise<string[]> {
  const name = freeName(join(serverSettings.dataDir, 'before-restore.tgz'))
  await describeErrors(name, () => writeBackup(name, { database: serverSettings.database, branding: null, version, now: new Date() }))
  return [`what was in the database is kept as ${name}`]
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
