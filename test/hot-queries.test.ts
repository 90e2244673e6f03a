import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { CompiledQuery, type Kysely, type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { EVERYTHING } from '../src/server/access/everything.ts'
import type { Viewer } from '../src/server/access/viewer.ts'
import { isShared } from '../src/server/db/database-kind.ts'
import type { Schema } from '../src/server/db/schema.ts'
import { openTestDatabase } from '../src/server/db/test-database.ts'
import { openDrive } from '../src/server/drive/drive.ts'
import { createJournal } from '../src/server/journal/journal.ts'
import { createMemoryStorage } from '../src/server/storage/test-memory-storage.ts'
import { createOutsideStore } from '../src/server/outside/store.ts'
import { createHistoryRows } from '../src/server/undo/history-rows.ts'
import { latestOf } from '../src/server/undo/latest.ts'
import { listGestures } from '../src/server/undo/listing.ts'
import { createRows } from '../src/server/undo/rows.ts'
import { createVersionStore } from '../src/server/versions/store.ts'
import { parseFilePath as at, ROOT } from '../src/shared/file-path.ts'

/** Enough for PostgreSQL to prefer an index where there is one. */
const ROWS = 30_000
const LARGE = /^(operations|versions)$/

let db: Kysely<Schema>
let asked: RootOperationNode[] = []
beforeAll(async () => {
  const opened = await openTestDatabase()
  const recorder: KyselyPlugin = {
    transformQuery({ node }) {
      asked.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await fill(opened)
  db = opened.withPlugin(recorder)
}, 120_000)
afterAll(() => db.destroy())

describe('with many rows, no query reads a whole table', () => {
  it('of the trash', async () => {
    const journal = createJournal({ db })
    const filters = [{}, { userId: 1 }, { parent: at('/folder-1') }, { text: 'file-7' }, { userId: 1, text: 'none' }]
    const pages = await scansOf(async () => {
      for (const filter of filters) {
        const { entries } = await journal.deletions(filter, { after: null, limit: 50 })
        await journal.deletions(filter, { after: entries.at(-1)?.id ?? idOf(ROWS), limit: 50 })
      }
      await journal.inState('done', { until: 0 }).next()
      await journal.inState('purging').next()
      await journal.inState('done', { uncounted: true }).next()
      await journal.inState('done', { volume: ROOT, until: 0 }).next()
      await journal.volumes()
      await journal.known([idOf(1)])
      await journal.restoration(idOf(1))
    })
    expect(pages).toEqual([])
  })

  it('of the journal', async () => {
    const journal = createJournal({ db })
    const scans = await scansOf(async () => {
      await journal.find(idOf(5))
      await journal.ofGroup(idOf(5))
      await journal.lastAt(at('/folder-5/file-5'))
      await journal.isForeign(idOf(5), 1)
      await journal.unsettled()
      await journal.after(idOf(ROWS - 10))
      const entry = await journal.find(idOf(5))
      for (const identity of ['', 'of a node']) if (entry !== null) await journal.hasCome({ ...entry, identity }, { until: idOf(9) })
      await journal.sweep({ until: 0 })
    })
    expect(scans).toEqual([])
  })

  it('of undo and history', async () => {
    const storage = createMemoryStorage()
    await storage.makeFolder(at('/folder-1'))
    const rows = createRows({ db, settled: async () => undefined })
    const deps = {
      rows,
      history: createHistoryRows({ db }),
      outside: createOutsideStore(db),
      driveFor: () => openDrive(storage, EVERYTHING),
    }
    // As little of a viewer as this needs.
    const viewer = { access: EVERYTHING, userId: 1, username: 'somebody' } as Viewer
    const { signal } = new AbortController()
    const scans = await scansOf(async () => {
      for (const below of [true, false])
        for (const path of [ROOT, '/folder-1'] as const) await listGestures(deps, { viewer, query: { path, below }, signal })
      await latestOf(deps, viewer)
      await rows.reverting([idOf(1)])
      await rows.lastArrivalAt(at('/folder-5/file-5'), null)
      await rows.firstAt()
      await rows.isChangedBelow(at('/folder-1'), { since: idOf(5), isOther: () => false })
      await rows.atOrBelow(at('/folder-1'), { from: null, until: null, after: ROWS - 5 }).next()
    })
    expect(scans).toEqual([])
  })

  it('of versions', async () => {
    const store = createVersionStore(db)
    const scans = await scansOf(async () => {
      await store.of(at('/folder-5/file-5'))
      await store.find(at('/folder-5/file-5'), idOf(5))
      await store.page(idOf(5))
      await store.unsettled('intended', '')
      await store.moved(at('/folder-5/none'), at('/other'))
      await store.before(0, 5)
      await store.oldestOf(0)
      await store.oldest(ROOT, 'ann')
      await store.volumes()
    })
    expect(scans).toEqual([])
  })

  it('which would be noticed', async () => {
    const scans = await scansOf(async () => {
      await db.selectFrom('operations').select('id').where('identity', '=', 'x').execute()
      await db.selectFrom('versions').select('id').where('identity', '=', 'x').orderBy('id').execute()
    })
    expect(scans).toHaveLength(2)
  })
})

/** @returns the statements of `work` that read a large table from one end to the other, with their plans */
async function scansOf(work: () => Promise<unknown>): Promise<string[]> {
  asked = []
  await work()
  const found = new Set<string>()
  for (const node of asked.splice(0)) {
    if (node.kind === 'RawNode') continue
    const query = db.getExecutor().compileQuery(node, { queryId: 'plan' })
    const plan = isShared(db) ? await planInPostgres(query) : await planInSqlite(query)
    if (plan.length > 0) found.add(`${query.sql}: ${plan.join('; ')}`)
  }
  return [...found]
}

async function planInSqlite({ sql: text, parameters }: CompiledQuery): Promise<string[]> {
  const { rows } = await db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${text}`, [...parameters]))
  const isScan = (detail: string): boolean => /^SCAN (operations|versions)( |$)/.test(detail) && !isBounded(text, detail)
  return rows.map(({ detail }) => detail).filter(isScan)
}

/** In the order of an index, up to a limit, is no scan of all; nor is all of an index of few rows. */
function isBounded(text: string, detail: string): boolean {
  return (text.includes(' limit ') && detail.includes('INDEX')) || detail.includes('_unsettled')
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

async function planInPostgres({ sql: text, parameters }: CompiledQuery): Promise<string[]> {
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    CompiledQuery.raw(`explain (format json) ${text}`, [...parameters]),
  )
  const scansIn = (node: PlanNode): string[] => {
    const isLarge = LARGE.test(node['Relation Name'] ?? '')
    const isAll =
      node['Node Type'].startsWith('Index') && node['Index Cond'] === undefined && !isBounded(text, `INDEX ${node['Index Name']}`)
    const isWhole = node['Node Type'] === 'Seq Scan' || isAll
    return [...(isLarge && isWhole ? [`${node['Node Type']} on ${node['Relation Name']}`] : []), ...(node.Plans ?? []).flatMap(scansIn)]
  }
  return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => scansIn(Plan)))
}

function idOf(n: number): string {
  return `${n.toString(16).padStart(8, '0')}-0000-7000-8000-000000000000`
}

/** One of ten operations is a deletion that can be undone, one of a hundred a move. */
async function fill(to: Kysely<Schema>): Promise<void> {
  const id = isShared(to)
    ? sql`lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000'`
    : sql`printf('%08x', n) || '-0000-7000-8000-000000000000'`
  const numbers = isShared(to)
    ? sql`select n from generate_series(1, ${sql.lit(ROWS)}) as n`
    : sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(ROWS)}) select n from numbers`
  await sql`insert into operations (id, group_id, at, user_id, user_name, via, kind, path, origin, name, parent, identity, folder, size, state,
      kept_volume, kept_id)
    select ${id}, ${id}, n, n % 50, 'somebody', 'web', case when n % 10 = 0 then 'delete' when n % 100 = 1 then 'move' else 'create' end,
      '/folder-' || n % 1000 || '/file-' || n, case when n % 100 = 1 then '/old/file-' || n end, 'file-' || n, '/folder-' || n % 1000, '1:2:3', 0, 0,
      'done', case when n % 10 = 0 then '/' end, case when n % 10 = 0 then ${id} end from (${numbers}) as all_numbers`.execute(to)
  await sql`insert into versions (id, path, at, user_name, size, modified, identity, state, tier, trashed, kept_volume)
    select ${id}, '/folder-' || n % 1000 || '/file-' || n, n, 'somebody', 1, 1, '1:2:3', 'done', 0, '', '/' from (${numbers}) as all_numbers`.execute(
    to,
  )
  if (isShared(to)) for (const table of ['operations', 'versions']) await sql`analyze ${sql.table(table)}`.execute(to)
}
