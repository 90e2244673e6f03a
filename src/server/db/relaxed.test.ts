import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { type Kysely, sql } from 'kysely'
import { openDatabase } from './database.ts'
import { relaxed, relaxedTogether } from './relaxed.ts'
import type { Schema } from './schema.ts'
import { journalFor } from './sqlite-server.ts'

const NORMAL = 1
const FULL = 2

let home = ''
let db: Kysely<Schema>
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'satchel-relaxed-'))
  db = await openDatabase({ file: join(home, 'satchel.db') }, { clock: () => new Date() })
  await sql`create table seen (what text, synchronous integer)`.execute(db)
})
afterEach(async () => {
  await db.destroy()
  rmSync(home, { recursive: true })
})

/** What SQLite does about the disk, as a statement that runs sees it. */
const INSERT = 'insert into seen select ?, synchronous from pragma_synchronous'
const seen = async (): Promise<unknown[]> => (await sql`select * from seen`.execute(db)).rows

describe('a relaxed statement', () => {
  it('does not wait for the disk, and the next ordinary one does, also in a transaction', async () => {
    await relaxed(db, { sql: INSERT, parameters: ['relaxed'] })
    await sql`insert into seen select 'ordinary', synchronous from pragma_synchronous`.execute(db)
    await relaxed(db, { sql: INSERT, parameters: ['relaxed'] })
    await db.transaction().execute((trx) => sql`insert into seen select 'transaction', synchronous from pragma_synchronous`.execute(trx))
    const relaxedly = { what: 'relaxed', synchronous: journalFor(join(home, 'satchel.db')) === 'WAL' ? NORMAL : FULL }
    expect(await seen()).toEqual([
      relaxedly,
      { what: 'ordinary', synchronous: FULL },
      relaxedly,
      { what: 'transaction', synchronous: FULL },
    ])
  })

  it('waits for a transaction that is open, and is not taken back with it', async () => {
    let written: Promise<void> = Promise.resolve()
    let isWritten = false
    const failed = db.transaction().execute(async (trx) => {
      await sql`insert into seen values ('transaction', 0)`.execute(trx)
      written = relaxed(db, { sql: INSERT, parameters: ['relaxed'] }).then(() => void (isWritten = true))
      await Bun.sleep(5)
      expect(isWritten).toBe(false)
      throw new Error('rolled back')
    })
    expect(await failed.catch((error: unknown) => error)).toEqual(new Error('rolled back'))
    await written
    expect((await seen()).length).toBe(1)
  })

  it('is written together with others, or none of them is', async () => {
    const late = { sql: 'insert into missing values (?)', parameters: [1] }
    const failed = relaxedTogether(db, [{ sql: INSERT, parameters: ['first'] }, late]).then(() => 'done', String)
    // The table is looked for before anything is done.
    expect(await failed).toContain('no such table')
    await sql`create table missing (value integer check (value > 1))`.execute(db)
    const refused = relaxedTogether(db, [{ sql: INSERT, parameters: ['first'] }, late]).then(() => 'done', String)
    expect(await refused).toContain('CHECK')
    expect(await seen()).toEqual([])
    await relaxedTogether(db, [
      { sql: INSERT, parameters: ['first'] },
      { ...late, parameters: [2] },
    ])
    expect((await seen()).length).toBe(1)
    await sql`insert into seen select 'ordinary', synchronous from pragma_synchronous`.execute(db)
    expect((await seen()).at(-1)).toEqual({ what: 'ordinary', synchronous: FULL })
  })

  it('fails as any other when its table is missing, and after the end', async () => {
    const problem = (work: Promise<void>): Promise<string> =>
      work.then(
        () => 'none',
        (error: unknown) => String(error),
      )
    expect(await problem(relaxed(db, { sql: 'insert into missing values (?)', parameters: [1] }))).toContain('no such table')
    const other = await openDatabase({ file: join(home, 'other.db') }, { clock: () => new Date() })
    await other.destroy()
    expect(await problem(relaxed(other, { sql: INSERT, parameters: ['late'] }))).toContain('destroyed')
  })
})
