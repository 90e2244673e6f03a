import { Database } from 'bun:sqlite'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MIGRATIONS } from '../src/server/db/migrate.ts'
import { makeOldDatabase } from '../test/upgrades/old-database.ts'

/**
 * `npx bun scripts/write-released-schema.ts 1.0.0`: writes a database as that release makes it, with a row in each table, as SQL. Run it before each
 * release that has a new migration; a file of a version that was released is never written again.
 */
const [version] = process.argv.slice(2)
if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) throw new Error('which version? such as 1.0.0')
const file = join(tmpdir(), `satchel-schema-${process.pid}.db`)
try {
  await makeOldDatabase({ file }, MIGRATIONS.length)
  await Bun.write(`test/upgrades/released/${version}.sql`, dump(file))
} finally {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

function dump(path: string): string {
  using db = new Database(path)
  const made = db.query<{ name: string; type: string; sql: string }, []>(
    "select name, type, sql from sqlite_schema where sql is not null and name not like 'sqlite%' order by rowid",
  )
  const schema = made.all()
  const lines = schema.map(({ sql }) => `${sql};`)
  for (const { name, type } of schema) {
    if (type !== 'table') continue
    for (const row of db.query<Record<string, unknown>, []>(`select * from ${name}`).all())
      lines.push(
        `insert into ${name} (${Object.keys(row).map(quotedName).join(', ')}) values (${Object.values(row).map(literal).join(', ')});`,
      )
  }
  return `${lines.join('\n')}\n`
}

function quotedName(name: string): string {
  return `"${name}"`
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  throw new TypeError(`a ${typeof value} in a row`)
}
