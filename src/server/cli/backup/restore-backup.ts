import { cpSync, existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { databaseLocationOf, shownDatabase } from '../../config/database-location.ts'
import { BRANDING, DATABASE, type Manifest } from '../../backup/manifest.ts'
import { connectDatabase, hasServers, isThere } from '../../db/database.ts'
import { examineDatabase, isInUse } from '../../db/examine.ts'
import { giveToOwner } from '../../db/owner.ts'
import { migrate } from '../../db/migrate.ts'
import { isFolder } from '../../settings/is-folder.ts'
import { createSettings } from '../../settings/store.ts'
import { WITHOUT_END } from '../../shares/store.ts'
import type { ServerSettings } from '../command.ts'
import { restoreToPostgres } from './restore-to-postgres.ts'

/** Refuses to restore while a server runs, or over an existing database without `force`. Throws `ConfigError`. */
export async function checkFree(database: string, { force }: { force: boolean }): Promise<void> {
  const place = databaseLocationOf(database)
  if ('url' in place) return checkFreePostgres(place.url, { force })
  if (!existsSync(database) || statSync(database).size === 0) return
  if (isOpenElsewhere(database)) throw new ConfigError(`${database} is in use; stop the server first`)
  if (!force) throw new ConfigError(`there is a database at ${database} already; --force puts the backup in its place and keeps it beside`)
}

/**
 * Restores an unpacked backup; the database is replaced last, in one step. Afterwards nobody is signed in, and no job of that time is started again.
 * @returns lines for the terminal
 */
export async function restoreBackup(folder: string, { database, ...options }: RestoreOptions): Promise<string[]> {
  const fresh = join(folder, DATABASE)
  refuseUnfit(fresh)
  const branding = freeName(join(options.dataDir, 'branding'))
  try {
    const notes = await prepareDatabase(fresh, { folder, branding, ...options })
    notes.unshift(...(await replaceDatabase(fresh, database, options)))
    return notes
  } catch (error) {
    rmSync(branding, { recursive: true, force: true })
    throw error
  }
}

async function replaceDatabase(fresh: string, database: string, options: Pick<RestoreOptions, 'version'>): Promise<string[]> {
  const place = databaseLocationOf(database)
  if ('url' in place) {
    const kept = await restoreToPostgres(fresh, place.url, options)
    return kept === null ? [] : [`what was in the database is kept in its schema "${kept}"`]
  }
  const old = keepOld(database)
  for (const beside of ['-wal', '-shm']) rmSync(`${database}${beside}`, { force: true })
  giveToOwner(fresh, dirname(database))
  renameSync(fresh, database)
  return old === null ? [] : [`the old database is kept as ${old}`]
}

interface RestoreOptions extends Pick<ServerSettings, 'database' | 'dataDir'> {
  readonly manifest: Manifest
  /** Of this program. */
  readonly version: string
}

async function checkFreePostgres(url: string, { force }: { force: boolean }): Promise<void> {
  const shown = shownDatabase(url)
  await using db = await connectDatabase({ url })
  if (await hasServers(db)) throw new ConfigError(`a server is at work on ${shown}; stop all of them first`)
  if (force || !(await isThere({ url }))) return
  throw new ConfigError(`there is a database at ${shown} already; --force puts the backup in its place and keeps what is there`)
}

function isOpenElsewhere(database: string): boolean {
  try {
    return isInUse(database)
  } catch {
    // Too damaged to be checked: the operator has a reason to restore over it.
    return false
  }
}

function refuseUnfit(file: string): void {
  const { damage, unknown } = examineDatabase(file)
  if (damage.length > 0) throw new ConfigError(`the database of the backup is damaged: ${damage.join('; ')}; nothing was changed`)
  if (unknown.length > 0) throw new ConfigError(`the backup is of a newer program (${unknown.join(', ')}); nothing was changed`)
}

/** Migrates the database, ends sessions and jobs that must not come back, and points the settings to the branding folder. */
async function prepareDatabase(file: string, { version, ...options }: BrandingOptions & { version: string }): Promise<string[]> {
  const clock = (): Date => new Date()
  const db = await connectDatabase({ file })
  try {
    await migrate(db, { clock, version })
    // A sign-in that has been ended since would be valid again.
    for (const table of ['sessions', 'trusted_devices', 'sign_in_tickets'] as const) await db.deleteFrom(table).execute()
    await db.deleteFrom('share_tickets').where('expires_at', '<', WITHOUT_END).execute()
    await db.deleteFrom('jobs').where('state', 'in', ['waiting', 'running']).execute()
    const settings = createSettings({ db, bus: { announce: () => {}, on: () => () => {} }, clock })
    const { files } = (await settings.read()).branding
    const { place, notes } = await restoreBranding(files, options)
    if (place !== files) await settings.change((before) => ({ ...before, branding: { ...before.branding, files: place } }))
    return notes
  } finally {
    await db.destroy()
    // Into one file: the first start would miss a log that is not there.
    isInUse(file)
    await using handle = await open(file)
    await handle.sync()
  }
}

interface BrandingOptions {
  readonly folder: string
  readonly manifest: Manifest
  /** Where a branding folder is put if the old one is gone: a name that is free. */
  readonly branding: string
}

/** An existing folder is newer than the backup and is left as it is. */
async function restoreBranding(
  files: string,
  { folder, manifest, branding }: BrandingOptions,
): Promise<{ place: string; notes: string[] }> {
  const hasAny = manifest.parts.some(({ name }) => name.startsWith(BRANDING))
  if (files === '' || !hasAny) return { place: files, notes: [] }
  if (await isFolder(files)) return { place: files, notes: [`the branding folder ${files} is there and was left as it is`] }
  mkdirSync(dirname(branding), { recursive: true, mode: 0o700 })
  cpSync(join(folder, BRANDING), branding, { recursive: true })
  for (const name of ['.', ...readdirSync(branding, { recursive: true, encoding: 'utf8' })])
    giveToOwner(join(branding, name), dirname(branding))
  return { place: branding, notes: [`the branding is in ${branding} now`] }
}

/** A second name for the old database: at every moment there is one under the real name. */
function keepOld(database: string): string | null {
  if (!existsSync(database)) return null
  const name = freeName(`${database}.before-restore`)
  linkSync(database, name)
  return name
}

/** A name that does not exist yet. */
export function freeName(wanted: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (!existsSync(name)) return name
  }
}
