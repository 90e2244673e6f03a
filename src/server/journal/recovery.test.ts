import { afterEach, beforeEach, expect, it } from 'bun:test'
import { parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { openTestDatabase } from '../db/test-database.ts'
import type { Kept } from '../storage/storage.ts'
import { createMemoryStorage } from '../storage/test-memory-storage.ts'
import { write } from '../storage/test-samples.ts'
import { createJournal } from './journal.ts'
import { createOpenEntries } from './open-entries.ts'
import type { JournalEntry } from './operation-row.ts'
import { settleStale } from './recovery.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeEach(async () => void (db = await openTestDatabase({ clock: () => new Date() })))
afterEach(() => db.destroy())

const VERSION = '00000000-0000-7000-8000-000000000001'
const KEPT: Kept = { area: 'versions', volume: ROOT, id: VERSION }

function entryOf(more: Partial<JournalEntry> & Pick<JournalEntry, 'kind' | 'path' | 'identity'>): JournalEntry {
  const nothing = { origin: null, size: null, modified: null, version: null, restored: null, reverts: null, kept: null }
  const by = { id: 1, name: 'ann', via: 'web' } as const
  return { ...nothing, id: Bun.randomUUIDv7(), group: Bun.randomUUIDv7(), at: 1, by, folder: false, state: 'intended', ...more }
}

/** What a killed server has begun is settled. */
async function recovered(entry: JournalEntry, storage = createMemoryStorage()) {
  await createJournal({ db }).begin(entry)
  return settledOf(entry, storage)
}

async function settledOf({ id }: JournalEntry, storage = createMemoryStorage()) {
  const journal = createJournal({ db })
  const reset: unknown[] = []
  const versions = {
    holds: async () => (await storage.statKept(KEPT)) !== null,
    notRestored: async (restored: unknown) => void reset.push(restored),
  }
  await settleStale(
    { journal, storage, followers: [], versions, log: () => {} },
    { before: Infinity, signal: new AbortController().signal },
  )
  return { state: (await journal.find(id))?.state, reset }
}

it('a folder that was merged has gone only if it is kept, whatever the other one is like', async () => {
  const storage = createMemoryStorage()
  for (const path of ['/from', '/to']) await storage.makeFolder(at(path))
  const identity = (await storage.stat(at('/to')))?.identity ?? ''
  const merged = () => entryOf({ kind: 'move', path: at('/to'), origin: at('/from'), identity, folder: true, version: VERSION })
  expect((await recovered(merged(), storage)).state).toBe('failed')
  await storage.keep(at('/from'), KEPT)
  expect((await recovered(merged(), storage)).state).toBe('done')
})

it('a move that found the name taken has failed, though what was moved is gone because its content was', async () => {
  const storage = createMemoryStorage()
  for (const path of ['/from', '/to']) await storage.makeFolder(at(path))
  const [from, to] = [await storage.stat(at('/from')), await storage.stat(at('/to'))]
  const move = { kind: 'move', path: at('/to'), origin: at('/from'), folder: true } as const
  const first = entryOf({ ...move, identity: from?.identity ?? '' })
  await createJournal({ db }).begin(entryOf({ ...move, identity: to?.identity ?? '', version: VERSION, state: 'done' }))
  await storage.keep(at('/from'), KEPT)
  expect((await recovered(first, storage)).state).toBe('failed')
  // To another disk, which gives it another identity.
  await storage.makeFolder(at('/other'))
  expect((await recovered(entryOf({ ...move, path: at('/other'), identity: from?.identity ?? '' }), storage)).state).toBe('done')
})

it('also if what has that name went to the trash since: then neither of the two is on the disk', async () => {
  const moved = { kind: 'move', path: at('/box/to'), origin: at('/from'), folder: true, identity: 'of the folder' } as const
  const happened = (more: Parameters<typeof entryOf>[0]) => createJournal({ db }).begin(entryOf({ ...more, state: 'done' }))
  const goes = { kind: 'delete', path: at('/box'), identity: 'of the box', folder: true, kept: { volume: ROOT, id: VERSION } } as const
  const [merged, whole, later] = [entryOf(moved), entryOf(moved), entryOf(moved)]
  // It was moved as a whole, and something new has its old name.
  await happened({ kind: 'create', path: at('/from'), identity: 'another', folder: true })
  await happened({ kind: 'move', path: at('/box/to/b'), origin: at('/from/b'), identity: 'b' })
  await happened(goes)
  expect([(await recovered(whole)).state, (await recovered(later)).state]).toEqual(['done', 'done'])
  await db.deleteFrom('operations').execute()
  // Its content was, into the folder that had the name.
  await happened({ kind: 'move', path: at('/box/to/a'), origin: at('/from/a'), identity: 'a' })
  await happened({ ...moved, identity: 'of the other one', version: VERSION })
  await happened(goes)
  expect((await recovered(merged)).state).toBe('failed')
})

it('a move that found the name taken has failed, whatever was done to what has it, and to what was to be moved', async () => {
  const storage = createMemoryStorage()
  const happened = (more: Parameters<typeof entryOf>[0]) => createJournal({ db }).begin(entryOf({ ...more, state: 'done' }))
  for (const folder of ['/from', '/after', '/after/from']) await storage.makeFolder(at(folder))
  const identityOf = async (path: string) => (await storage.stat(at(path)))?.identity ?? ''
  const move = { kind: 'move', path: at('/to'), folder: true } as const
  const there = entryOf({ ...move, origin: at('/from'), identity: await identityOf('/from') })
  const elsewhere = entryOf({ ...move, origin: at('/before/from'), identity: await identityOf('/after/from') })
  const gone = entryOf({ ...move, origin: at('/gone'), identity: 'of what is gone' })
  const kept = { volume: ROOT, id: VERSION }
  await happened({ kind: 'delete', path: at('/to'), identity: 'another', folder: true, kept })
  await happened({ kind: 'move', path: at('/after'), origin: at('/before'), identity: await identityOf('/after'), folder: true })
  await happened({ kind: 'delete', path: at('/gone'), identity: 'of what is gone', folder: true, kept })
  for (const entry of [there, elsewhere, gone]) expect((await recovered(entry, storage)).state).toBe('failed')
})

it('a file was saved, though another one was moved over it since', async () => {
  const saved = entryOf({ kind: 'replace', path: at('/a'), identity: 'of the save', version: VERSION })
  const over = { path: at('/a'), identity: 'of the other one', version: VERSION, state: 'done' } as const
  await createJournal({ db }).begin(entryOf({ ...over, kind: 'move', origin: at('/b') }))
  expect((await recovered(saved)).state).toBe('done')
})

it('a save that was continued when the server was killed has left what is there, or what nobody knows any more', async () => {
  const storage = createMemoryStorage()
  const [journal, open] = [createJournal({ db }), createOpenEntries({ db })]
  const saves = ['/a', '/gone'].map((path) =>
    entryOf({ kind: 'replace', path: at(path), identity: 'of the first save', size: 5, modified: 5, version: VERSION, state: 'done' }),
  )
  for (const save of saves) {
    await journal.begin(save)
    await open.reopen(save.id)
  }
  await write(storage, at('/a'), 'third time')
  const { identity = '', size = 0, modified = 0 } = (await storage.stat(at('/a'))) ?? {}
  for (const save of saves) expect(await settledOf(save, storage)).toEqual({ state: 'done', reset: [] })
  const [there, gone] = await Promise.all(saves.map(({ id }) => journal.find(id)))
  expect(there).toMatchObject({ identity, size, modified: Math.round(modified) })
  expect(gone).toMatchObject({ identity: '', size: null, modified: null })
})

it('a folder that came back was there, though it was merged with another one since', async () => {
  const storage = createMemoryStorage()
  await storage.makeFolder(at('/to'))
  const other = (await storage.stat(at('/to')))?.identity ?? ''
  const back = entryOf({
    kind: 'create',
    path: at('/from'),
    identity: 'of the folder',
    folder: true,
    restored: { version: VERSION, was: null },
  })
  const merge = { kind: 'move', path: at('/to'), origin: at('/from'), folder: true, state: 'done' } as const
  await createJournal({ db }).begin(entryOf({ ...merge, identity: other, version: '00000000-0000-7000-8000-000000000002' }))
  expect(await recovered(back, storage)).toEqual({ state: 'done', reset: [] })
  expect((await createJournal({ db }).find(back.id))?.identity).toBe('of the folder')
})

it('the journal tells of what has gone which node it was', async () => {
  const made = entryOf({ kind: 'create', path: at('/made'), identity: '', folder: true })
  const later = { identity: 'of what was made', folder: true, state: 'done' } as const
  await createJournal({ db }).begin(entryOf({ ...later, kind: 'move', path: at('/in/made'), origin: at('/made') }))
  await createJournal({ db }).begin(entryOf({ ...later, kind: 'delete', path: at('/in'), identity: 'of the folder' }))
  expect((await recovered(made)).state).toBe('done')
  expect((await createJournal({ db }).find(made.id))?.identity).toBe('of what was made')
})

it('what was made, and went to the trash at the moment of the kill, was made', async () => {
  const storage = createMemoryStorage()
  await storage.makeFolder(at('/made'))
  const identity = (await storage.stat(at('/made')))?.identity ?? ''
  const made = () => entryOf({ kind: 'create', path: at('/made'), identity: '', folder: true })
  const [stays, goes] = [made(), made()]
  const kept = { volume: ROOT, id: VERSION }
  await createJournal({ db }).begin(entryOf({ kind: 'delete', path: at('/made'), identity, folder: true, kept }))
  expect((await recovered(stays, storage)).state).toBe('done')
  await storage.keep(at('/made'), { area: 'trash', ...kept })
  await db.deleteFrom('operations').where('id', '=', stays.id).execute()
  expect((await recovered(goes, storage)).state).toBe('done')
})

it('a version that was to be restored, and was not, is told of', async () => {
  const restored = { version: VERSION, was: { mode: 0o640, modified: 5 } }
  const replaced = entryOf({ kind: 'replace', path: at('/a'), identity: 'of the version', restored })
  expect(await recovered(replaced)).toEqual({ state: 'failed', reset: [restored] })
})

it('R-1200003: of several who made a folder at the same time, one did: what is in it appeared afterwards, and the others found the name taken', async () => {
  const storage = createMemoryStorage()
  await storage.makeFolder(at('/new'))
  await write(storage, at('/new/a'), 'of the first')
  const [journal, open] = [createJournal({ db }), createOpenEntries({ db })]
  const folder = { kind: 'create', path: at('/new'), identity: '', folder: true } as const
  const inIt = { kind: 'create', path: at('/new/a'), identity: '' } as const
  const stateOf = async ({ id }: JournalEntry) => (await journal.find(id))?.state
  const [first, second, file, third] = [entryOf(folder), entryOf(folder), entryOf(inIt), entryOf(folder)]
  await open.begin([first, second, file, third])
  await settledOf(third, storage)
  expect(await Promise.all([first, second, file, third].map(stateOf))).toEqual(['done', 'failed', 'done', 'failed'])
  // One of them was settled before the server died.
  const [late, early] = [entryOf(folder), entryOf({ ...folder, id: '00000000-0000-7000-8000-000000000003' })]
  await open.begin([early, late])
  await settledOf(late, storage)
  expect(await Promise.all([early, late].map(stateOf))).toEqual(['failed', 'failed'])
})

it('R-1200003: also of a folder that is gone by now, and of one that was made anew', async () => {
  const storage = createMemoryStorage()
  const [journal, open] = [createJournal({ db }), createOpenEntries({ db })]
  const [folder, file] = [
    { kind: 'create', path: at('/new'), identity: '', folder: true },
    { kind: 'create', path: at('/new/a'), identity: '' },
  ] as const
  const kept = { volume: ROOT, id: VERSION }
  const stateOf = async ({ id }: JournalEntry) => (await journal.find(id))?.state
  const begun = () => [entryOf(folder), entryOf(folder), entryOf(file), entryOf(file)]
  const before = begun()
  await journal.begin(entryOf({ ...folder, kind: 'delete', identity: 'of the first', state: 'done', kept }))
  const after = begun()
  await storage.makeFolder(at('/new'))
  await write(storage, at('/new/a'), 'of the second')
  await open.begin([...before, ...after])
  await settledOf(after[0] ?? entryOf(folder), storage)
  for (const four of [before, after]) expect(await Promise.all(four.map(stateOf))).toEqual(['done', 'failed', 'done', 'failed'])
})

it('what another program had removed without the journal was made anew', async () => {
  const storage = createMemoryStorage()
  const folder = { kind: 'create', path: at('/new'), folder: true } as const
  await createJournal({ db }).begin(entryOf({ ...folder, identity: 'of what was removed', state: 'done' }))
  await storage.makeFolder(at('/new'))
  const anew = entryOf({ ...folder, identity: '' })
  expect((await recovered(anew, storage)).state).toBe('done')
})

it('of what was made and of what came back from the trash at the same time, the one that the disk has was there', async () => {
  const storage = createMemoryStorage()
  await storage.makeFolder(at('/new'))
  const identity = (await storage.stat(at('/new')))?.identity ?? ''
  const [refused, made] = [
    entryOf({ kind: 'create', path: at('/new'), identity: '', folder: true }),
    entryOf({ kind: 'create', path: at('/a'), identity: '' }),
  ]
  const back = { kind: 'restore', folder: true, kept: { volume: ROOT, id: VERSION }, state: 'done' } as const
  await createJournal({ db }).begin(entryOf({ ...back, path: at('/new'), identity }))
  await createJournal({ db }).begin(
    entryOf({ ...back, path: at('/a'), identity: 'of what was put over it', folder: false, version: VERSION }),
  )
  expect((await recovered(refused, storage)).state).toBe('failed')
  expect((await recovered(made, storage)).state).toBe('done')
})
