import { link, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import { parseFilePath as at, ROOT } from '../../src/shared/file-path.ts'
import { listed, remove, restore } from './trash-calls.ts'
import { until } from './until.ts'
import { contentsOf, keptIds, replace, versionsOf } from './versions-calls.ts'
import { HOUR_MS, onEachStorage, type Product, startProduct } from './world.ts'

const A = '/docs/a.txt'
const TREE = { [A]: 'first', '/docs/b.txt': 'bee' }

/** The server died: the rows are what it had written by then. */
onEachStorage((product) => {
  describe('after a crash, the disk says what became of', () => {
    it('a replacement that was done: its version is there, before and after it is settled', async () => {
      await product().seed(TREE)
      await replace(product(), 'ann', A, 'second')
      await settled(product())
      await setState(product(), 'intended')
      product().restart()
      expect(await contentsOf(product(), 'ann', A)).toEqual(['first'])
      await reborn(product())
      expect([await contentsOf(product(), 'ann', A), await states(product())]).toEqual([['first'], ['done']])
    })

    it('a replacement that was only intended: there is no version', async () => {
      await product().seed(TREE)
      await replace(product(), 'ann', A, 'second')
      await settled(product())
      const [id = ''] = await keptIds(product())
      await product().storage.dropKept({ area: 'versions', volume: ROOT, id })
      await setState(product(), 'intended')
      expect(await versionsOf(product(), 'ann', A)).toEqual([])
      await reborn(product())
      expect([await versionsOf(product(), 'ann', A), await states(product())]).toEqual([[], []])
      expect(await product().read(A)).toBe('second')
    })

    it('a restoration: the version that became the file is no version any more', async () => {
      await product().seed(TREE)
      await replace(product(), 'ann', A, 'second')
      const row = await product().db.selectFrom('versions').selectAll().executeTakeFirstOrThrow()
      await product()
        .as('ann')
        .versions.restore({ params: { path: at(A) }, query: { id: row.id } })
      await settled(product())
      await product()
        .db.insertInto('versions')
        .values({ ...row, state: 'done' })
        .execute()
      await reborn(product())
      expect([await product().read(A), await contentsOf(product(), 'ann', A)]).toEqual(['first', ['second']])
    })

    it('versions that were being removed: they are never shown again, and go', async () => {
      await product().seed(TREE)
      await replace(product(), 'ann', A, 'second')
      await settled(product())
      await setState(product(), 'dropping')
      expect(await versionsOf(product(), 'ann', A)).toEqual([])
      await product().world.tidy()
      expect([await keptIds(product()), await states(product())]).toEqual([[], []])
    })

    it('versions of what went to the trash, which are not those of a later file', async () => {
      await product().seed(TREE)
      await replace(product(), 'ann', A, 'second')
      await remove(product(), 'ann', '/docs')
      await product().db.updateTable('versions').set({ trashed: '' }).execute()
      await product().db.updateTable('operations').set({ state: 'intended' }).execute()
      await reborn(product())
      await product().seed(TREE)
      expect(await versionsOf(product(), 'ann', A)).toEqual([])
      await restore(product(), 'ann', (await listed(product(), 'ann'))[0], { to: '/back' })
      expect(await contentsOf(product(), 'ann', '/back/a.txt')).toEqual(['first'])
    })

    it('versions of a lost database: nobody sees them, they count, and go in their time', async () => {
      await product().seed(TREE)
      await replace(product(), 'ann', A, 'second')
      await settled(product())
      await product().db.deleteFrom('versions').execute()
      await reborn(product())
      expect(await versionsOf(product(), 'ann', A)).toEqual([])
      expect(await product().db.selectFrom('versions').select(['path', 'size', 'state']).execute()).toEqual([
        { path: '', size: 5, state: 'done' },
      ])
      expect(product().logged.join('\n')).toContain('1 were not in the database')
      await product().world.tidy()
      expect(await keptIds(product())).toHaveLength(1)
      product().pass(366 * 24 * HOUR_MS)
      await product().world.tidy()
      expect(await keptIds(product())).toEqual([])
    })

    it('versions whose content somebody removed: their rows go', async () => {
      await product().seed(TREE)
      for (const text of ['second', 'third']) await replace(product(), 'ann', A, text)
      await settled(product())
      const [newest] = await versionsOf(product(), 'ann', A)
      await product().storage.dropKept({ area: 'versions', volume: ROOT, id: newest?.id ?? '' })
      await reborn(product())
      expect(await contentsOf(product(), 'ann', A)).toEqual(['first'])
    })
  })

  it('a lease protects what other servers are about to replace', async () => {
    await product().seed(TREE)
    await replace(product(), 'ann', A, 'second')
    await settled(product())
    await setState(product(), 'intended')
    await product().world.tidy()
    expect(await states(product())).toEqual(['intended'])
    product().pass(11 * 60_000)
    await product().world.tidy()
    expect(await states(product())).toEqual(['done'])
  })
})

it('a file that had a second name when the server died, and was not replaced, has no version', async () => {
  await using product = await startProduct({ storage: 'local' })
  await product.seed(TREE)
  await replace(product, 'ann', '/docs/b.txt', 'new')
  await settled(product)
  const row = await product.db.selectFrom('versions').selectAll().executeTakeFirstOrThrow()
  const id = Bun.randomUUIDv7()
  await mkdir(join(product.root, '.satchel/versions', id))
  await link(join(product.root, A), join(product.root, '.satchel/versions', id, 'a.txt'))
  const { identity } = (await product.storage.stat(at(A))) ?? { identity: '' }
  await product.db
    .insertInto('versions')
    .values({ ...row, id, path: A, identity, state: 'intended' })
    .execute()
  expect(await versionsOf(product, 'ann', A)).toEqual([])
  await reborn(product)
  expect([await versionsOf(product, 'ann', A), await product.read(A)]).toEqual([[], 'first'])
  expect(await keptIds(product)).toEqual([row.id])
})

/** After the lease that servers on PostgreSQL leave each other. */
async function reborn(product: Product): Promise<void> {
  product.pass(11 * 60_000)
  product.restart()
  await product.world.recover()
}

/** The server settles replacements a little later. */
async function settled(product: Product): Promise<void> {
  await until(async () => (await states(product)).every((state) => state === 'done'))
}

async function setState(product: Product, state: string): Promise<void> {
  await product.db.updateTable('versions').set({ state }).execute()
}

async function states(product: Product): Promise<string[]> {
  return (await product.db.selectFrom('versions').select('state').execute()).map(({ state }) => state)
}
