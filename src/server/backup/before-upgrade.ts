import { mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { databaseBytes, type Upgrades } from '../db/database.ts'
import { giveToOwner } from '../db/owner.ts'
import { DatabaseProblem } from '../db/problem.ts'
import { sync, WORK_FOLDER, writeBackup } from './write-backup.ts'

/** So many upgrades can be undone. */
const KEPT = 3
const BACKUP_NAME = /^satchel-\d+-before-.*\.tgz$/
/** Of a backup that was killed. */
const isLeftover = (name: string): boolean => name.startsWith(WORK_FOLDER) || name.endsWith('.part')
/** A copy of the database, the same packed, and some for the migration itself. */
const COPIES = 2
const SPARE_BYTES = 4 * 1024 * 1024

export interface UpgradeOptions {
  /** The folder of the backups; only its owner can read it. */
  readonly folder: string
  readonly version: string
  readonly log: (line: string) => void
}

/**
 * Saves a database before it is migrated: as `satchel backup` does, without the branding, which no migration changes. The name tells the schema that
 * is saved and the version that migrates it, so that an upgrade that fails again and again keeps one backup.
 */
export function upgradesIn({ folder, version, log }: UpgradeOptions): Upgrades {
  return {
    version,
    async save(trx, { place, applied }) {
      if (place === 'memory') throw new Error('a database in memory is never upgraded')
      const schema = applied.at(-1)?.name.slice(0, 4) ?? '0000'
      const file = join(folder, `satchel-${schema}-before-${version}.tgz`)
      try {
        await makeFolder(folder)
        removeLeftovers(folder)
        if ('file' in place) refuseWithoutRoom(folder, await databaseBytes(trx, place))
        await writeBackup(file, { database: { place, applied, trx }, branding: null, version, now: new Date() })
        giveToOwner(file)
      } catch (error) {
        throw error instanceof DatabaseProblem ? error : unsaved(folder, error)
      }
      log(`database: saved as ${file} before the upgrade to ${version}`)
      removeOld(folder, file)
      return file
    },
  }
}

async function makeFolder(folder: string): Promise<void> {
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (made === undefined) return
  giveToOwner(folder)
  // Every new name on the way.
  for (let path = folder; path.length >= made.length; path = dirname(path)) await sync(dirname(path))
}

function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) if (isLeftover(name)) rmSync(join(folder, name), { recursive: true, force: true })
}

function refuseWithoutRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  const needed = bytes * COPIES + SPARE_BYTES
  if (bavail * bsize < needed) throw noRoom(folder, ` (${inMegabytes(needed)} are needed, ${inMegabytes(bavail * bsize)} are free)`)
}

function unsaved(folder: string, error: unknown): DatabaseProblem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'storage-full'].includes(code)) return noRoom(folder, '')
  const reason = error instanceof Error ? error.message : String(error)
  return new DatabaseProblem(`the database cannot be saved in ${folder} before it is upgraded: ${reason}. Nothing was changed`, {
    cause: error,
  })
}

function noRoom(folder: string, figures: string): DatabaseProblem {
  return new DatabaseProblem(
    `there is no room in ${folder} for a backup of the database, which is made before it is upgraded${figures}. ` +
      'Make some and start again. Nothing was changed',
  )
}

function inMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 ** 2)} MiB`
}

/** Deletes all but the newest; of one schema there may be several. */
function removeOld(folder: string, newest: string): void {
  const written = (name: string): number => statSync(join(folder, name)).mtimeMs
  const others = readdirSync(folder).filter((name) => BACKUP_NAME.test(name) && join(folder, name) !== newest)
  const old = others.toSorted((a, b) => written(b) - written(a)).slice(KEPT - 1)
  for (const name of old) rmSync(join(folder, name), { force: true })
}
