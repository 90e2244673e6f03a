import type { Kysely } from 'kysely'
import { copyRows, tablesIn } from '../db/copy-rows.ts'
import { connectDatabase, type DatabaseLocation } from '../db/database.ts'
import { copyDatabase, isInUse } from '../db/examine.ts'
import { migrate, type Migration, MIGRATIONS } from '../db/migrate.ts'
import type { Schema } from '../db/schema.ts'

export interface CopyOptions {
  readonly place: Exclude<DatabaseLocation, 'memory'>
  /** Those that the database has. */
  readonly applied?: readonly Migration[]
  /** The transaction of an upgrade; otherwise the copy waits for writers, or they for it. */
  readonly trx?: Kysely<Schema>
}

/** Writes the content of a database into a new SQLite file, so that every backup can be restored into either kind of database. */
export async function copyToFile(file: string, { place, applied = MIGRATIONS, trx }: CopyOptions): Promise<void> {
  if ('file' in place) return copyDatabase(place.file, file)
  const clock = (): Date => new Date()
  {
    await using to = await connectDatabase({ file })
    await migrate(to, { clock, migrations: applied })
    const tables = await tablesIn(to)
    const copy = (from: Kysely<Schema>): Promise<void> => to.transaction().execute((target) => copyRows(from, target, tables))
    if (trx !== undefined) await copy(trx)
    else {
      await using from = await connectDatabase(place)
      await from.transaction().execute(copy)
    }
  }
  // Into one file, without its log.
  isInUse(file)
}
