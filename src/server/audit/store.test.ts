import { expect, it } from 'bun:test'
import { openDatabase } from '../db/database.ts'
import { findEntries, insertEntries, removeOld } from './store.ts'

it('returns entries of kinds that only a newer server knows', async () => {
  const at = new Date('2026-11-22T00:00:00Z')
  await using db = await openDatabase('memory', { clock: () => at })
  await insertEntries(db, [{ noted: { kind: 'user-created', by: null, address: null, subject: 'ann' }, at }])
  await db.updateTable('audit').set({ kind: 'user-moved' }).execute()
  expect(await findEntries(db, {}, { before: null, limit: 10 })).toMatchObject([{ kind: 'user-moved', subject: 'ann' }])
})

it('drops failed sign-ins and what users removed first, so that many of them cannot push out other entries', async () => {
  const at = new Date('2026-11-22T00:00:00Z')
  await using db = await openDatabase('memory', { clock: () => at })
  const note = (kind: 'user-created' | 'sign-in-failed' | 'trash-removed') =>
    insertEntries(db, [{ noted: { kind, by: null, address: null }, at }])
  for (let n = 0; n < 10; n++) await note('user-created')
  for (let n = 0; n < 30; n++) await note('sign-in-failed')
  for (let n = 0; n < 30; n++) await note('trash-removed')
  await removeOld(db, { until: 0, most: 16 })
  const kinds = (await findEntries(db, {}, { before: null, limit: 100 })).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'user-created')).toHaveLength(10)
  expect(kinds.filter((kind) => kind === 'sign-in-failed')).toHaveLength(4)
  expect(kinds.filter((kind) => kind === 'trash-removed')).toHaveLength(2)
})
