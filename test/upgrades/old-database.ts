import type { Kysely } from 'kysely'
import { copyRows, tablesIn } from '../../src/server/db/copy-rows.ts'
import { connectDatabase, type DatabaseLocation } from '../../src/server/db/database.ts'
import { migrate, MIGRATIONS } from '../../src/server/db/migrate.ts'
import type { Schema } from '../../src/server/db/schema.ts'
import { SAMPLE_ROWS } from './sample-rows.ts'

/** Rows of any table, by its name. */
export type Content = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** Makes a database as it was after so many migrations, with the sample rows that fit. @returns what it holds */
export async function makeOldDatabase(place: DatabaseLocation, steps: number): Promise<Content> {
  const options = { clock: () => new Date(0), migrations: MIGRATIONS.slice(0, steps), version: '0.9.0' }
  await using model = await connectDatabase('memory')
  await migrate(model, options)
  for (const table of await model.introspection.getTables()) {
    // Every table of the schema has samples, and every table of an older schema is one of them.
    const name = table.name as keyof Schema
    const columns = table.columns.map((column) => column.name)
    for (const row of SAMPLE_ROWS[name] ?? [])
      await model
        .insertInto(name)
        .values(Object.fromEntries(Object.entries(row).filter(([column]) => columns.includes(column))))
        .execute()
  }
  await using db = await connectDatabase(place)
  await migrate(db, options)
  await copyRows(model, db, await tablesIn(model))
  return await contentOf(model, await tablesIn(model))
}

/** Every row of these tables. */
export async function contentOf(db: Kysely<Schema>, tables: readonly string[]): Promise<Content> {
  const content: Record<string, Record<string, unknown>[]> = {}
  for (const name of tables)
    content[name] = await db
      .selectFrom(name as keyof Schema)
      .selectAll()
      .execute()
  // Without the record of the last upgrade.
  return { ...content, settings: (content['settings'] ?? []).filter(({ key }) => key !== 'upgrade') }
}

/** What is missing in a database, or changed, of what there was before; new columns and rows do not count. */
export function lostOf(before: Content, after: Content): string[] {
  return Object.entries(before).flatMap(([table, rows]) =>
    rows.flatMap((row) => {
      const isSame = (other: Readonly<Record<string, unknown>>): boolean =>
        Object.entries(row).every(([column, value]) => Object.is(other[column], value))
      return (after[table] ?? []).some(isSame) ? [] : [`${table}: ${JSON.stringify(row)}`]
    }),
  )
}
