import { Database } from 'bun:sqlite'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectDatabase } from '../../src/server/db/database.ts'
import { fromRow } from '../../src/server/journal/operation-row.ts'
import { createOpenEntries, isRelaxedKind } from '../../src/server/journal/open-entries.ts'
import { sealed } from '../../src/server/storage/test-sealed.ts'
import { programOver, startProgram } from '../contract/program.ts'
import { misled, refer, unsettled } from './journal-operations.ts'
import type { Start } from './programs.ts'
import { ONE, TWO } from './tree-operations.ts'

/** Recovery begins with the server and goes on while it serves. */
const RECOVERED_AFTER_MS = 1500
const SETTLED_AFTER_MS = 700
/** What refers to paths, as it was before the move. */
const FOLLOWERS = { shares: 'place', favourites: 'place', versions: 'path' } as const

/** A start over what a server left that died when it had made, replaced and moved something, and nothing of that was settled or followed. */
export function recoveryStart(): Start {
  return {
    name: 'recovery of the journal',
    options: { until: ' at http', lingerMs: RECOVERED_AFTER_MS },
    last: 120,
    async prepare(home) {
      const server = await startProgram(home)
      const send = (path: string, method: string, size: number) => server.ask(path, { method, body: sealed(size) })
      await send('/api/resources/docs/a', 'POST', ONE)
      writeFileSync(join(home, 'link'), await refer(AS_IT_IS, server, 'docs/a', TWO))
      await server.ask('/api/resources/docs/?action=rename&destination=/moved', { method: 'PATCH' })
      await send('/api/resources/new', 'POST', ONE)
      await Bun.sleep(SETTLED_AFTER_MS)
      await server.kill()
      await unsettle(join(home, 'data/satchel.db'))
    },
    command: programOver,
    async judge(server, _, home) {
      const file = join(home, 'data/satchel.db')
      const wrong = await unsettled(file)
      using db = new Database(file, { readonly: true })
      const rows = db.query<{ row: string }, []>(`select kind || ' ' || path || ' ' || state as row from operations order by id`).all()
      const expected = ['create /docs done', 'create /docs/a done', 'replace /docs/a done', 'move /moved done', 'create /new done']
      const found = rows.map(({ row }) => row)
      if (!Bun.deepEquals(found, expected)) wrong.push(`the journal is ${found.join(', ')}`)
      return [...wrong, ...(await misled(AS_IT_IS, server, 'moved/a', readFileSync(join(home, 'link'), 'utf8')))]
    },
  }
}

const AS_IT_IS = { path: (name: string): string => name }

/** Every row as it begins, and nothing has followed the move. */
async function unsettle(file: string): Promise<void> {
  await using db = await connectDatabase({ file })
  const open = createOpenEntries({ db })
  for (const entry of (await db.selectFrom('operations').selectAll().execute()).map(fromRow)) {
    if (isRelaxedKind(entry.kind)) {
      await db.deleteFrom('operations').where('id', '=', entry.id).execute()
      await open.begin([{ ...entry, state: 'intended', size: null, modified: null, ...(entry.kind === 'create' && { identity: '' }) }])
    } else await db.updateTable('operations').set({ state: 'intended' }).where('id', '=', entry.id).execute()
  }
  using plain = new Database(file)
  for (const [table, column] of Object.entries(FOLLOWERS))
    plain.run(`update ${table} set ${column} = replace(${column}, '/moved', '/docs')`)
}
