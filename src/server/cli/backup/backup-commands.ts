import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { isFolder } from '../../settings/is-folder.ts'
import type { Call, Command } from '../command.ts'
import { refuseServed } from '../exchange.ts'
import { json } from '../print.ts'
import { checkFree, putBack } from './put-back.ts'
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
  const { args, cwd, places, terminal, version } = call
  const file = resolve(cwd, args[0] ?? '')
  refuseServed(file, places.root)
  if (!existsSync(dirname(file))) throw new ConfigError(`there is no folder ${dirname(file)}`)
  const { files } = (await (await call.office()).settings()).branding
  const branding = files !== '' && (await isFolder(files)) ? files : null
  const made = await told(file, () => writeBackup(file, { database: places.database, branding, version, now: new Date() }))
  if (files !== '' && branding === null) terminal.complain(`satchel: the branding folder ${files} is not there and not in the backup`)
  const bytes = Bun.file(file).size
  if (call.json) return terminal.out(json({ file, bytes, parts: made.parts }))
  terminal.out(`wrote ${file} (${bytes} bytes); it holds password hashes and secrets, and no files of people`)
}

async function restore(call: Call): Promise<void> {
  const { args, flags, cwd, places, terminal } = call
  const file = resolve(cwd, args[0] ?? '')
  const { database } = places
  const force = flags.get('force') === true
  checkFree(database, { force })
  mkdirSync(dirname(database), { recursive: true, mode: 0o700 })
  // On the same disk, so that the last step is a rename.
  const folder = mkdtempSync(join(dirname(database), '.satchel-restore-'))
  try {
    const manifest = await readBackup(file, folder)
    // Asked again: unpacking may have taken its time.
    checkFree(database, { force })
    const notes = await told(database, () => putBack(folder, manifest, places))
    for (const note of notes) terminal.complain(`satchel: ${note}`)
    terminal.out(
      call.json ? json({ database, made: manifest.made }) : `restored ${database} as of ${manifest.made}; everybody signs in anew`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What the system says of a place that cannot be written, as a line for whoever sits at the terminal. */
async function told<T>(place: string, deed: () => Promise<T>): Promise<T> {
  try {
    return await deed()
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error instanceof ConfigError) throw error
    throw new ConfigError(`${place} cannot be written: ${error.message}`, { cause: error })
  }
}
