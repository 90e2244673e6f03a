import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import type { Kysely } from 'kysely'
import { type FilePath, parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import type { Schema } from '../db/schema.ts'
import { openTestDatabase } from '../db/test-database.ts'
import { createJournal, type Journal } from './journal.ts'
import { type JournalEntry, toRow } from './operation-row.ts'

let db: Kysely<Schema>
let journal: Journal
beforeEach(async () => {
  db = await openTestDatabase()
  journal = createJournal({ db })
})
afterEach(() => db.destroy())

describe('the journal', () => {
  it('returns what was written, whatever the name', async () => {
    for (const path of ['/a/b.txt', '/\udcff/Ä', '/"x', '/{"a":1}']) {
      const entry = deletion({ path: path as FilePath, size: 5, kept: { volume: at('/a'), id: 'k' } })
      await journal.begin(entry)
      expect(await journal.find(entry.id)).toEqual(entry)
    }
    expect(await journal.find('none')).toBe(null)
  })

  it('settles an entry once, only from a state in which it is', async () => {
    const entry = deletion({ state: 'intended' })
    await journal.begin(entry)
    expect(await journal.change(entry.id, { from: ['intended'], to: 'done', size: 7 })).toBe(true)
    expect(await journal.change(entry.id, { from: ['intended'], to: 'failed' })).toBe(false)
    expect(await journal.find(entry.id)).toMatchObject({ state: 'done', size: 7 })
  })

  it('lets one of many restore or remove an entry', async () => {
    const entry = deletion({})
    await journal.begin(entry)
    const attempts = Array.from({ length: 8 }, async (_, n) =>
      n % 2 === 0
        ? journal.beginRestore(entry.id, { ...deletion({ state: 'intended' }), kind: 'restore', kept: entry.kept })
        : journal.change(entry.id, { from: ['done'], to: 'purging' }),
    )
    expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1)
  })

  it('settles a deletion together with its restoration', async () => {
    for (const restored of [true, false]) {
      const entry = deletion({})
      const restore = { ...deletion({ state: 'intended', path: at('/to') }), kind: 'restore' as const, kept: entry.kept }
      await journal.begin(entry)
      await journal.beginRestore(entry.id, restore)
      expect((await journal.restoration(entry.id))?.path).toBe(at('/to'))
      await journal.endRestore(entry.id, { restored })
      expect([(await journal.find(entry.id))?.state, (await journal.find(restore.id))?.state]).toEqual(
        restored ? ['undone', 'done'] : ['done', 'failed'],
      )
    }
  })

  it('pages through what can be restored, of a user, in a folder, by name', async () => {
    const entries = Array.from({ length: 25 }, (_, n) =>
      deletion({ path: at(`/${n % 2 === 0 ? 'even' : 'odd'}/File-${n}`), by: { id: n % 3, name: '', via: 'web' } }),
    )
    for (const entry of entries) await journal.begin(entry)
    await journal.begin(deletion({ state: 'failed' }))
    await journal.begin({ ...deletion({}), kind: 'restore' })
    const all = entries.toReversed().map(({ id }) => id)
    expect(await idsOf({})).toEqual(all)
    expect(await idsOf({ userId: 1 })).toEqual(idsWhere(entries, ({ by }) => by.id === 1))
    expect(await idsOf({ parent: at('/odd') })).toEqual(idsWhere(entries, ({ path }) => path.startsWith('/odd')))
    expect(await idsOf({ text: 'FILE-1' })).toEqual(idsWhere(entries, ({ path }) => path.includes('/File-1')))
    expect(await idsOf({ parent: ROOT })).toEqual([])
  })

  it('searches and sums a long list in several steps', async () => {
    const rows = Array.from({ length: 12_000 }, (_, n) => toRow(deletion({ path: at(n === 10 ? '/needle' : `/straw-${n}`) })))
    for (let from = 0; from < rows.length; from += 1500)
      await db
        .insertInto('operations')
        .values(rows.slice(from, from + 1500))
        .execute()
    const steps = []
    for (let after: string | null = null; ;) {
      const page: Awaited<ReturnType<Journal['deletions']>> = await journal.deletions({ text: 'needle' }, { after, limit: 10 })
      steps.push(page.entries.map(({ path }) => path))
      if (page.next === null) break
      after = page.next
    }
    expect(steps).toEqual([[], [], [at('/needle')]])
    await db.updateTable('operations').set({ size: 3 }).execute()
    expect(await journal.keptBytes()).toMatchObject([{ volume: ROOT, bytes: 36_000 }])
  })

  it('sums what each volume keeps', async () => {
    const kept = (volume: string) => ({ volume: at(volume), id: crypto.randomUUID() })
    await journal.begin(deletion({ size: 5, kept: kept('/') }))
    await journal.begin(deletion({ size: null, kept: kept('/') }))
    await journal.begin(deletion({ size: 2e10, kept: kept('/disk') }))
    await journal.begin(deletion({ size: 7, state: 'purged', kept: kept('/') }))
    expect((await journal.keptBytes()).toSorted((a, b) => a.bytes - b.bytes)).toMatchObject([
      { volume: ROOT, bytes: 5 },
      { volume: at('/disk'), bytes: 2e10 },
    ])
  })

  it('forgets what is settled and old, and nothing that can be restored or must be settled', async () => {
    const states = ['intended', 'failed', 'done', 'restoring', 'undone', 'purging', 'purged'] as const
    for (const state of states) for (const age of [0, 1]) await journal.begin(deletion({ state, at: 1000 - age }))
    await journal.begin({ ...deletion({ at: 999 }), kind: 'restore' })
    await journal.sweep({ until: 999 })
    const left = await db.selectFrom('operations').select(['state', 'at']).orderBy('id').execute()
    expect(left.map((row) => `${row.state} ${row.at}`)).toEqual([
      'intended 1000',
      'intended 999',
      'failed 1000',
      'done 1000',
      'done 999',
      'restoring 1000',
      'restoring 999',
      'undone 1000',
      'purging 1000',
      'purging 999',
      'purged 1000',
    ])
  })
})

function deletion(more: Partial<JournalEntry>): JournalEntry {
  const id = Bun.randomUUIDv7()
  return {
    id,
    group: Bun.randomUUIDv7(),
    at: 1000,
    by: { id: 0, name: 'ann', via: 'web' },
    kind: 'delete',
    path: at('/a'),
    origin: null,
    identity: '1:2:3',
    folder: false,
    size: 0,
    modified: null,
    version: null,
    restored: null,
    reverts: null,
    state: 'done',
    kept: { volume: ROOT, id },
    ...more,
  }
}

function idsWhere(entries: readonly JournalEntry[], isWanted: (entry: JournalEntry) => boolean): string[] {
  return entries
    .filter(isWanted)
    .toReversed()
    .map(({ id }) => id)
}

async function idsOf(filter: Parameters<Journal['deletions']>[0]): Promise<string[]> {
  const ids: string[] = []
  for (let after: string | null = null; ;) {
    const page: Awaited<ReturnType<Journal['deletions']>> = await journal.deletions(filter, { after, limit: 4 })
    ids.push(...page.entries.map(({ id }) => id))
    if (page.next === null) return ids
    after = page.next
  }
}
