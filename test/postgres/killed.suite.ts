import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { serverCommand } from '../../scripts/lib/server.mjs'
import { readBackup } from '../../src/server/cli/backup/read-backup.ts'
import { connectDatabase } from '../../src/server/db/database.ts'
import { MIGRATIONS } from '../../src/server/db/migrate.ts'
import { newSchema } from '../../src/server/db/test-database.ts'
import { contentOf, lostOf, makeOldDatabase } from '../upgrades/old-database.ts'

/** So many moments of a command are tried. */
const MOMENTS = 10
const OLD_STEPS = 9

/** The program itself, killed in the middle of a command on PostgreSQL. For SQLite, `npm run crash` tries every moment. */
export function describeKilled(server: () => string): void {
  describe('killed in the middle', () => {
    let home = ''
    beforeEach(() => {
      home = mkdtempSync(join(tmpdir(), 'satchel-killed-'))
      mkdirSync(join(home, 'files'))
    })
    afterEach(() => rmSync(home, { recursive: true, force: true }))

    /** @returns whether it was done before, and how long it took. @param afterMs null to let it end */
    async function run(url: string, args: readonly string[], afterMs: number | null): Promise<{ done: boolean; ms: number }> {
      const begun = performance.now()
      const child = Bun.spawn([...serverCommand(), ...args], {
        cwd: home,
        env: { PATH: process.env['PATH'] ?? '', HOME: home, SATCHEL_DATABASE: url },
        stdout: 'ignore',
        stderr: 'inherit',
      })
      const timer = afterMs === null ? null : setTimeout(() => child.kill('SIGKILL'), afterMs)
      const code = await child.exited
      if (timer !== null) clearTimeout(timer)
      return { done: code === 0, ms: performance.now() - begun }
    }

    it('an upgrade leaves the old schema or the new one with every row, and only whole backups', async () => {
      const first = await newSchema(server())
      await makeOldDatabase({ url: first }, OLD_STEPS)
      const { done, ms } = await run(first, ['users', 'ls'], null)
      expect(done).toBe(true)
      const seen = new Set<number>()
      for (let moment = 1; moment <= MOMENTS; moment++) {
        rmSync(join(home, 'data'), { recursive: true, force: true })
        const url = await newSchema(server())
        const before = await makeOldDatabase({ url }, OLD_STEPS)
        await run(url, ['users', 'ls'], (ms * moment) / MOMENTS)
        seen.add(await stepsOf(url))
        expect(await lostIn(url, before)).toEqual([])
        await expectWhole(join(home, 'data/upgrades'))
        expect((await run(url, ['users', 'ls'], null)).done).toBe(true)
        expect([await stepsOf(url), await lostIn(url, before)]).toEqual([MIGRATIONS.length, []])
      }
      for (const steps of seen) expect([OLD_STEPS, MIGRATIONS.length]).toContain(steps)
    }, 300_000)

    it('a restore leaves what was there or the backup, and what it replaces once it is done', async () => {
      const url = await newSchema(server())
      await makeOldDatabase({ url }, MIGRATIONS.length)
      expect((await run(url, ['backup', join(home, 'kept.tgz')], null)).done).toBe(true)
      const args = ['restore', join(home, 'kept.tgz'), '--force']
      const { ms } = await run(url, args, null)
      for (let moment = 1; moment <= MOMENTS; moment++) {
        await setLocale(url, 'xx')
        const { done } = await run(url, args, (ms * moment) / MOMENTS)
        const locale = await localeIn(url)
        expect(done ? ['sv-se'] : ['xx', 'sv-se']).toContain(locale ?? 'nobody')
        expect(
          readdirSync(home)
            .filter((name) => !name.startsWith('data'))
            .toSorted(),
        ).toEqual(['files', 'kept.tgz'])
      }
    }, 300_000)
  })
}

async function stepsOf(url: string): Promise<number> {
  await using db = await connectDatabase({ url })
  return (await db.withTables<{ migrations: { name: string } }>().selectFrom('migrations').select('name').execute()).length
}

async function lostIn(url: string, before: Awaited<ReturnType<typeof makeOldDatabase>>): Promise<string[]> {
  await using db = await connectDatabase({ url })
  return lostOf(before, await contentOf(db, Object.keys(before)))
}

async function expectWhole(folder: string): Promise<void> {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (!name.endsWith('.tgz')) continue
    const unpacked = mkdtempSync(join(tmpdir(), 'satchel-killed-backup-'))
    await readBackup(join(folder, name), unpacked)
    rmSync(unpacked, { recursive: true })
  }
}

async function setLocale(url: string, locale: string): Promise<void> {
  await using db = await connectDatabase({ url })
  await db.updateTable('users').set({ locale }).execute()
}

async function localeIn(url: string): Promise<string | undefined> {
  await using db = await connectDatabase({ url })
  return (await db.selectFrom('users').select('locale').executeTakeFirst())?.locale
}
