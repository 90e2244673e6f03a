import { describe, expect, it } from 'bun:test'
import { sql } from 'kysely'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { EVERYTHING, HOUR_MS, onEachStorage, type Product } from './world.ts'
import { listed, remove, restore } from './trash-calls.ts'

const TREE = { '/docs/a.txt': 'a', '/docs/sub/b.txt': 'bb' }

/** The server died: the rows are what it had written by then. */
onEachStorage((product) => {
  describe('after a crash, the disk says what became of', () => {
    it('a deletion that was done', async () => {
      await product().seed(TREE)
      const link = await linkTo(product(), '/docs/a.txt')
      await remove(product(), 'ann', '/docs')
      await setState(product(), 'intended')
      await product().db.updateTable('shares').set({ trashed: '' }).execute()
      await reborn(product())
      const [docs, ...more] = await listed(product(), 'ann')
      expect([docs?.path, more]).toEqual(['/docs', []])
      await product().seed({ '/docs/a.txt': 'another' })
      expect((await product().ask(`/api/public/dl/${link}`)).status).toBe(404)
      await restore(product(), 'ann', docs, { to: '/back' })
      expect(await product().read('/back/sub/b.txt')).toBe('bb')
      expect(await (await product().ask(`/api/public/dl/${link}`)).text()).toBe('a')
    })

    it('a deletion that was only intended', async () => {
      await product().seed(TREE)
      const link = await linkTo(product(), '/docs/a.txt')
      await remove(product(), 'ann', '/docs')
      const [docs] = await listed(product(), 'ann')
      await restore(product(), 'ann', docs)
      await setState(product(), 'intended')
      await reborn(product())
      expect(await listed(product(), 'ann')).toEqual([])
      expect(await states(product())).toEqual(['failed'])
      expect(await product().read('/docs/a.txt')).toBe('a')
      expect((await product().ask(`/api/public/dl/${link}`)).status).toBe(200)
    })

    it('a restoration that was done, elsewhere', async () => {
      await product().seed(TREE)
      const link = await linkTo(product(), '/docs/a.txt')
      await remove(product(), 'ann', '/docs')
      const suspended = await product().db.selectFrom('shares').select(['place', 'trashed']).executeTakeFirstOrThrow()
      const [docs] = await listed(product(), 'ann')
      await restore(product(), 'ann', docs, { to: '/else' })
      await setState(product(), 'restoring')
      await product().db.updateTable('operations').set({ state: 'intended' }).where('kind', '=', 'restore').execute()
      await product().db.updateTable('shares').set(suspended).execute()
      await reborn(product())
      expect([await listed(product(), 'ann'), await states(product())]).toEqual([[], ['undone']])
      expect(await (await product().ask(`/api/public/dl/${link}`)).text()).toBe('a')
    })

    it('a restoration that was only intended', async () => {
      await product().seed(TREE)
      await remove(product(), 'ann', '/docs')
      const [docs] = await listed(product(), 'ann')
      await restore(product(), 'ann', docs)
      await remove(product(), 'ann', '/docs')
      await setState(product(), 'restoring')
      await reborn(product())
      const [again, ...more] = await listed(product(), 'ann')
      expect([again?.path, more]).toEqual(['/docs', []])
      expect(await restore(product(), 'ann', again)).toEqual({ path: '/docs' })
    })

    it('a removal for good that had begun: it ends, and is never shown again', async () => {
      await product().seed(TREE)
      await remove(product(), 'ann', '/docs')
      await setState(product(), 'purging')
      await product().world.tidy()
      expect(await product().storage.keptNodes('trash')).toEqual([])
      expect(await states(product())).toEqual(['purged'])
    })

    it('something that is not in the trash any more: it is not offered, until it is there again', async () => {
      await product().seed(TREE)
      await remove(product(), 'ann', '/docs')
      const [kept] = await product().storage.keptNodes('trash')
      if (kept === undefined) throw new Error('nothing is kept')
      // Taken away and brought back by somebody with access to the disk.
      await product().storage.restoreKept(kept, at('/aside'), { replace: false })
      await reborn(product())
      expect([await listed(product(), 'ann'), await states(product())]).toEqual([[], ['failed']])
      await product().storage.keep(at('/aside'), kept)
      await reborn(product())
      const [docs] = await listed(product(), 'ann')
      expect(await restore(product(), 'ann', docs, { to: '/docs' })).toEqual({ path: '/docs' })
    })

    it('something that was restored after the backup of the database: it is where it was, with its links', async () => {
      await product().seed(TREE)
      const link = await linkTo(product(), '/docs/a.txt')
      await remove(product(), 'ann', '/docs')
      const suspended = await product().db.selectFrom('shares').select(['place', 'trashed']).executeTakeFirstOrThrow()
      const [docs] = await listed(product(), 'ann')
      await restore(product(), 'ann', docs)
      await product().db.deleteFrom('operations').where('kind', '=', 'restore').execute()
      await setState(product(), 'done')
      await product().db.updateTable('shares').set(suspended).execute()
      await reborn(product())
      expect([await listed(product(), 'ann'), await states(product())]).toEqual([[], ['undone']])
      expect(await (await product().ask(`/api/public/dl/${link}`)).text()).toBe('a')
    })

    it('something in the trash that the journal does not know: administrators find it, with all its time ahead', async () => {
      await product().seed(TREE)
      await remove(product(), 'ann', '/docs')
      product().pass(100 * 24 * HOUR_MS)
      await product().db.deleteFrom('operations').execute()
      await reborn(product())
      await product().world.tidy()
      await product().add('late', { may: { ...EVERYTHING, admin: true } })
      expect(await listed(product(), 'late')).toEqual([])
      const [docs, ...more] = await listed(product(), 'late', { all: 'true' })
      expect([docs, more]).toMatchObject([{ path: '/docs', deletedBy: '', mine: false, size: 3 }, []])
      expect(await restore(product(), 'late', docs)).toEqual({ path: '/docs' })
      expect(await product().read('/docs/sub/b.txt')).toBe('bb')
    })
  })

  it('nothing is deleted if the journal cannot be written', async () => {
    await product().seed(TREE)
    await sql`alter table operations rename to elsewhere`.execute(product().db)
    expect((await product().ask('/api/resources/docs', { method: 'DELETE', who: 'ann' })).status).toBe(500)
    expect(await product().read('/docs/sub/b.txt')).toBe('bb')
    expect(await product().storage.keptNodes('trash')).toEqual([])
    await sql`alter table elsewhere rename to operations`.execute(product().db)
    expect(await listed(product(), 'ann')).toEqual([])
  })

  it('a lease protects operations of other servers: nothing is settled that may be going on', async () => {
    await product().seed(TREE)
    await remove(product(), 'ann', '/docs')
    const [docs] = await listed(product(), 'ann')
    await restore(product(), 'ann', docs)
    await setState(product(), 'intended')
    await product().world.tidy()
    expect(await states(product())).toEqual(['intended'])
    product().pass(11 * 60_000)
    await product().world.tidy()
    expect(await states(product())).toEqual(['failed'])
  })

  it('entries of a deleted account are nobody’s, also not of a later one with its number', async () => {
    await product().seed(TREE)
    await remove(product(), 'ann', '/docs')
    const { id } = await product().account('ann')
    await product().db.deleteFrom('users').where('id', '=', id).execute()
    await product().world.tidy()
    const carl = await product().add('carl')
    await product().db.updateTable('users').set({ id }).where('id', '=', carl.id).execute()
    product().restart()
    expect(await listed(product(), 'carl')).toEqual([])
    expect((await listed(product(), 'root', { all: 'true' })).map(({ deletedBy, mine }) => [deletedBy, mine])).toEqual([['ann', false]])
  })
})

async function reborn(product: Product): Promise<void> {
  product.pass(11 * 60_000)
  product.restart()
  await product.world.recover()
}

async function setState(product: Product, state: string): Promise<void> {
  const newest = await product.db
    .selectFrom('operations')
    .select('id')
    .where('kind', '=', 'delete')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  await product.db.updateTable('operations').set({ state }).where('id', '=', newest.id).execute()
}

async function states(product: Product): Promise<string[]> {
  return (await product.db.selectFrom('operations').select('state').where('kind', '=', 'delete').execute()).map(({ state }) => state)
}

async function linkTo(product: Product, path: string): Promise<string> {
  const response = await product.ask(`/api/share${path}`, { method: 'POST', who: 'ann', body: '{}' })
  return ((await response.json()) as { hash: string }).hash
}
