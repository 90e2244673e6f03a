import { afterEach, beforeEach, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../shared/file-path.ts'
import { openTestDatabase } from '../db/test-database.ts'
import type { Stat } from '../storage/storage.ts'
import { createJournal } from './journal.ts'
import { createOpenEntries } from './open-entries.ts'
import { createRecorder } from './recorder.ts'
import { createJournalWriter } from './writer.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeEach(async () => void (db = await openTestDatabase({ clock: () => new Date() })))
afterEach(() => db.destroy())

it('a save that continues an earlier one has begun in its row until it is settled, and a failed one leaves that as it was', async () => {
  const log = (): void => undefined
  const open = createOpenEntries({ db })
  const writer = createJournalWriter({ db, open, log })
  const journal = createJournal({ db, open, settled: writer.flush })
  const recorder = createRecorder({ journal, writer, clock: () => new Date(), log }, { id: 1, name: 'ann' })
  const save = await recorder.begin({ kind: 'replace', path: at('/a'), node: null, folder: false })
  save.done(statOf('first', 5))
  await writer.flush()

  const second = await recorder.resume(at('/a'))
  expect(await journal.unsettled()).toMatchObject([{ path: '/a', identity: '', size: 5 }])
  second?.failed()
  expect(await journal.lastAt(at('/a'))).toMatchObject({ state: 'done', identity: 'first', size: 5 })

  const third = await recorder.resume(at('/a'))
  third?.done(statOf('third', 10))
  expect(await journal.lastAt(at('/a'))).toMatchObject({ state: 'done', identity: 'third', size: 10 })
  expect(await journal.unsettled()).toEqual([])
  expect(await createRecorder({ journal, writer, clock: () => new Date(), log }, { id: 2, name: 'bob' }).resume(at('/a'))).toBe(null)
  expect(await journal.unsettled()).toEqual([])
})

function statOf(identity: string, size: number): Stat {
  return { kind: 'file', size, modified: size, mode: 0o100640, identity }
}
