import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import { connectDatabase, type DatabaseLocation } from '../../src/server/db/database.ts'
import { RUNTIME_COMMAND } from '../../src/server/entries/runtime.ts'
import { withDatabase } from './old-databases.ts'
import type { TestInstall } from './satchel.ts'

const SOURCE = join(import.meta.dir, '../../src/server/main.ts')
const STOP = join(import.meta.dir, 'stop-at.child.ts')
const [RUNTIME = '', ...OPTIONS] = RUNTIME_COMMAND
const [ACCOUNTS, LINKS] = [12, 27]
/** The entries of the audit trail are the last that is written; a failure there is logged, and the move goes on. */
const MOMENTS = {
  fail: ['insert into "users"', 'insert into "shares"'],
  kill: ['insert into "users"', 'insert into "shares"', 'insert into "audit"', 'insert into "audit",commit'],
} as const

/** @param newDatabase an empty one; null for the usual file in the data folder */
export function describeInterruptedMoves(product: string, newDatabase: () => Promise<string | null>): void {
  describe(`a move to ${product} that is interrupted`, () => {
    for (const how of ['kill', 'fail'] as const)
      for (const moment of MOMENTS[how])
        it(`by a ${how} at ${moment} has moved nothing, and moves everything when it runs again`, async () => {
          const { install, file } = await withDatabase('file-browser-small', { accounts: ACCOUNTS })
          const url = await newDatabase()
          const place = url === null ? { file: join(install.home, 'data/satchel.db') } : { url }
          const args = ['migrate', file, '--root', 'files', ...(url === null ? [] : ['--database', url])]
          const { code, complaints } = await stopped(install, { args, moment, how })
          if (how === 'kill') expect(code).toBe(137)
          else expect([code, complaints]).toEqual([1, expect.stringContaining('a failure of the test')])
          expect(await counts(place)).toEqual({ settings: 0, users: 0, shares: 0, audit: 0 })

          expect(await install.ask(args)).toMatchObject({
            settings: true,
            accounts: { added: { length: ACCOUNTS } },
            links: { added: LINKS },
          })
          expect(await counts(place)).toMatchObject({ settings: 1, users: ACCOUNTS, shares: LINKS })
        }, 60_000)
  })
}

async function stopped({ home }: TestInstall, { args, moment, how }: { args: readonly string[]; moment: string; how: string }) {
  const child = Bun.spawn([RUNTIME, ...OPTIONS, `--preload=${STOP}`, SOURCE, ...args], {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, STOP_AT: moment, STOP_HOW: how },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const complaints = await new Response(child.stderr).text()
  return { code: await child.exited, complaints }
}

async function counts(place: DatabaseLocation): Promise<Record<string, number>> {
  await using db = await connectDatabase(place)
  const found: Record<string, number> = {
    settings: (await db.selectFrom('settings').select('key').where('key', '=', 'settings').execute()).length,
  }
  for (const table of ['users', 'shares', 'audit'] as const) {
    const { count } = await db.selectFrom(table).select(db.fn.countAll().as('count')).executeTakeFirstOrThrow()
    found[table] = Number(count)
  }
  return found
}
