import { describe, expect, it } from 'bun:test'
import { bulkHead } from '../../src/shared/contract/bulk.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { createOpenEntries } from '../../src/server/journal/open-entries.ts'
import { fromRow } from '../../src/server/journal/operation-row.ts'
import { onEachStorage, type Product } from './world.ts'
import { replace, save, versionsOf } from './versions-calls.ts'

/** The server died: the rows are what it had written by then. */
onEachStorage((product) => {
  const ann = () => product().as('ann')
  const move = (from: string, to: string) =>
    ann().resources.transfer({ params: { path: at(from) }, query: { action: 'rename', destination: to } })

  describe('after a crash, the disk says what became of', () => {
    it('what was uploaded, replaced, copied, moved and removed for good, also if it was moved on or removed since', async () => {
      await product().seed({ '/old': 'o', '/gone': 'g', '/in/a': 'a' })
      for (const path of ['/x', '/folder/y']) await ann().resources.upload({ params: { path: at(path) }, query: {}, body: 'text' })
      await replace(product(), 'ann', '/old', 'new')
      await save(product(), 'ann', '/x', 'later')
      await ann().resources.transfer({ params: { path: at('/in') }, query: { action: 'copy', destination: '/copy' } })
      await move('/folder', '/elsewhere')
      await move('/elsewhere', '/last')
      await ann().resources.remove({ params: { path: at('/gone') }, query: { permanent: 'true' } })
      const before = await product().db.selectFrom('operations').selectAll().orderBy('id').execute()
      await product().world.journal.settled()
      const settled = await product().db.selectFrom('operations').selectAll().orderBy('id').execute()
      expect(before.map(({ state }) => state)).toContain('intended')
      expect(await product().db.selectFrom('operations_open').selectAll().execute()).toEqual([])
      await unsettle(product())
      await reborn(product())
      const now = await product().db.selectFrom('operations').selectAll().orderBy('id').execute()
      expect(now.map(({ kind, path, state }) => `${kind} ${path} ${state}`)).toEqual(
        settled.map(({ kind, path, state }) => `${kind} ${path} ${state}`),
      )
      for (const { path, identity, kind } of now)
        if (kind === 'copy' || path === '/old' || path === '/folder') {
          const found = await product().storage.stat(at(path === '/folder' ? '/last' : path))
          expect([path, identity]).toEqual([path, found?.identity ?? ''])
        }
      expect(await product().db.selectFrom('operations_open').selectAll().execute()).toEqual([])
    })

    it('what was settled already, and was to be removed from what has begun', async () => {
      await ann().resources.upload({ params: { path: at('/up') }, query: {}, body: 'text' })
      await product().world.journal.settled()
      const settled = await product().db.selectFrom('operations').selectAll().execute()
      await unsettle(product())
      // It has gone meanwhile, so the disk would say otherwise.
      await product().storage.remove(at('/up'))
      await product().db.insertInto('operations').values(settled).execute()
      await reborn(product())
      expect(await product().db.selectFrom('operations').selectAll().execute()).toEqual(settled)
      expect(await product().db.selectFrom('operations_open').selectAll().execute()).toEqual([])
    })

    it('R-1200003: a folder that several files of one upload found missing: it was made once, and goes once', async () => {
      const files = ['/new/a', '/new/b', '/new/in/c', '/new/in/d']
      await ann().bulk.upload({ body: `${bulkHead(files.map((path) => ({ path, size: 1 })))}abcd` })
      await product().world.journal.settled()
      const rows = () => product().db.selectFrom('operations').select(['id', 'path', 'group_id', 'state']).orderBy('id').execute()
      const begun = await rows()
      expect(begun.length).toBeGreaterThan(6)
      const history = async () => (await ann().operations.list({ query: { path: '/', below: 'true' } })).gestures
      const shown = async () => (await history()).flatMap(({ items }) => items.map(({ path }) => path ?? '')).toSorted(inOrder)
      expect(await shown()).toEqual(['/new', '/new/a', '/new/b', '/new/in', '/new/in/c', '/new/in/d'])
      await unsettle(product())
      await reborn(product())
      expect(await shown()).toEqual(['/new', '/new/a', '/new/b', '/new/in', '/new/in/c', '/new/in/d'])
      const { items } = await ann().operations.undo({ params: { group: begun[0]?.group_id ?? '' } })
      expect(items.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 6 }, () => 'done'))
      expect(await product().storage.stat(at('/new'))).toBeNull()
    })

    it('what had only begun', async () => {
      await product().seed({ '/a': 'a', '/b': 'b' })
      await move('/a', '/c')
      await move('/c', '/a')
      await ann().resources.upload({ params: { path: at('/up') }, query: {}, body: 'text' })
      await ann().resources.remove({ params: { path: at('/b') }, query: { permanent: 'true' } })
      await product().world.journal.settled()
      const [up, b] = [at('/up'), at('/b')]
      await product().storage.remove(up)
      await product().seed({ '/b': 'b' })
      const identity = (await product().storage.stat(b))?.identity ?? ''
      await product().db.updateTable('operations').set({ identity }).where('path', '=', '/b').execute()
      await product().db.deleteFrom('operations').where('path', '=', '/a').execute()
      await unsettle(product())
      await reborn(product())
      expect((await product().db.selectFrom('operations').select('state').execute()).map(({ state }) => state)).toEqual([
        'failed',
        'failed',
        'failed',
      ])
    })

    it('moves: links, favourites and versions follow, also over several moves, and once only', async () => {
      await product().seed({ '/docs/a.txt': 'first' })
      await replace(product(), 'ann', '/docs/a.txt', 'second')
      const created = await product().ask('/api/share/docs/a.txt', { method: 'POST', who: 'ann', body: '{}' })
      const { hash } = (await created.json()) as { hash: string }
      await ann().favourites.star({ params: { path: at('/docs/a.txt') } })
      const tables = async () => ({
        shares: await product().db.selectFrom('shares').select(['hash', 'place']).execute(),
        versions: await product().db.selectFrom('versions').select(['id', 'path']).execute(),
        favourites: await product().db.selectFrom('favourites').select(['place', 'user_id']).execute(),
      })
      const before = await tables()
      await move('/docs', '/there')
      await move('/there', '/last')
      await product().world.journal.settled()
      const after = await tables()
      expect(after).not.toEqual(before)
      for (let life = 0; life < 2; life++) {
        // Nothing had followed when the server died; the second time, everything had.
        if (life === 0) {
          for (const { hash: one, place } of before.shares)
            await product().db.updateTable('shares').set({ place }).where('hash', '=', one).execute()
          for (const { id, path } of before.versions)
            await product().db.updateTable('versions').set({ path }).where('id', '=', id).execute()
          for (const { place } of before.favourites) await product().db.updateTable('favourites').set({ place }).execute()
        }
        await product().db.updateTable('operations').set({ state: 'intended' }).where('kind', '=', 'move').execute()
        await reborn(product())
        expect(await tables()).toEqual(after)
        expect(await (await product().ask(`/api/public/dl/${hash}`)).text()).toBe('second')
        expect(await versionsOf(product(), 'ann', '/last/a.txt')).toHaveLength(1)
      }
    })
  })
})

function inOrder(one: string, other: string): number {
  return one < other ? -1 : 1
}

/** Every row as it begins: what only the disk knows is not there yet. */
async function unsettle({ db }: Product): Promise<void> {
  const entries = (await db.selectFrom('operations').selectAll().execute()).map(fromRow)
  for (const entry of entries) {
    const { id, kind, identity } = entry
    await db.updateTable('operations').set({ state: 'intended' }).where('id', '=', id).execute()
    if (kind === 'move' || kind === 'delete') continue
    await db.deleteFrom('operations').where('id', '=', id).execute()
    const known = kind === 'replace' ? { identity } : { identity: '' }
    await createOpenEntries({ db }).begin([{ ...entry, state: 'intended', size: null, modified: null, ...known }])
  }
}

async function reborn(product: Product): Promise<void> {
  product.pass(11 * 60_000)
  product.restart()
  await product.world.recover()
}
