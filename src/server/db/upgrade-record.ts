import type { Kysely } from 'kysely'
import * as z from 'zod/mini'
import { orElse } from '../../shared/errors.ts'
import type { Schema } from './schema.ts'
import { shellWord } from './shell-word.ts'

const KEY = 'upgrade'

/** The last upgrade of a database, kept in it, so that an older program can say how to go back. */
const UpgradeRecord = z.object({
  /** Of the program that upgraded or created it; empty if unknown. */
  version: z.string(),
  /** The backup from before; null if there was nothing to save. */
  backup: z.nullable(z.string()),
  /** The machine on which the backup is. */
  host: z.string(),
  at: z.string(),
  /** Those of this program, among the tables that other programs may have in the same schema of PostgreSQL. */
  tables: z.array(z.string()),
})
export type UpgradeRecord = z.infer<typeof UpgradeRecord>

export async function recordUpgrade(trx: Kysely<Schema>, record: UpgradeRecord): Promise<void> {
  const value = JSON.stringify(record)
  await trx
    .insertInto('settings')
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** Null if none is recorded, or if a newer version records it in another way. */
export async function lastUpgrade(db: Kysely<Schema>): Promise<UpgradeRecord | null> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst()
  return orElse(null, () => z.safeParse(UpgradeRecord, JSON.parse(row?.value ?? 'null')).data ?? null)
}

/** Which version made a database that is newer than this program, and how to continue. */
export function newerDatabase(
  record: UpgradeRecord | null,
  { unknown, version = '' }: { unknown: string; version?: string | undefined },
): { text: string; todo: string } {
  const newer = record === null || record.version === '' ? 'a newer version' : `Satchel ${record.version}`
  const wayBack =
    record === null || record.backup === null
      ? 'restore a backup that this version made, with "satchel restore --force"'
      : `stop every server and run "satchel restore --force ${shellWord(record.backup)}" with this version. It restores the backup that was made ` +
        `before the upgrade (${record.at}, on ${record.host}), and keeps what it replaces`
  const program = `this program${version === '' ? '' : ` (${version})`}`
  return {
    text: `the database is newer than ${program}: ${newer} has used it (it has "${unknown}")`,
    todo: `start ${newer} again; or, to go back, ${wayBack}`,
  }
}
