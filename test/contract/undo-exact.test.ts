import { describe, expect, it } from 'bun:test'
import { OPERATION_HEADER } from '../../src/shared/contract/operation-header.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { onEachStorage, type Product } from './world.ts'
import { listed, remove, restore } from './trash-calls.ts'
import { until } from './until.ts'

onEachStorage((product) => {
  const call = async (method: string, address: string, init: { body?: string; query?: Record<string, string> } = {}): Promise<string> => {
    const query = new URLSearchParams(init.query).toString()
    const body = init.body === undefined ? {} : { body: init.body }
    const response = await product().ask(`${address}?${query}`, { method, who: 'ann', ...body })
    expect(response.status).toBeLessThan(300)
    return response.headers.get(OPERATION_HEADER) ?? ''
  }
  const move = (path: string, destination: string) =>
    call('PATCH', `/api/resources${path}`, { query: { action: 'rename', destination, override: 'true' } })
  const copy = (path: string, destination: string) =>
    call('PATCH', `/api/resources${path}`, { query: { action: 'copy', destination, override: 'true' } })
  const upload = (path: string, body: string) => call('POST', `/api/resources${path}`, { body, query: { override: 'true' } })
  const save = (path: string, body: string) => call('PUT', `/api/resources${path}`, { body })
  const undo = async (group: string) =>
    (await product().as('ann').operations.undo({ params: { group } })).items.map(({ outcome }) => outcome)
  const redo = async (group: string) =>
    (await product().as('ann').operations.redo({ params: { group } })).items.map(({ outcome }) => outcome)

  /** Undo gives the tree from before, redo the one from after, as often as asked. */
  async function goesBackAndForth(act: () => Promise<string>): Promise<void> {
    const before = await treeOf(product())
    await Bun.sleep(5)
    const group = await act()
    const after = await treeOf(product())
    expect(after).not.toEqual(before)
    for (let round = 0; round < 2; round++) {
      expect(new Set(await undo(group))).toEqual(new Set(['done']))
      expect(await treeOf(product())).toEqual(before)
      expect(new Set(await redo(group))).toEqual(new Set(['done']))
      expect(await treeOf(product())).toEqual(after)
    }
  }

  describe('undo and redo, exactly', () => {
    it('of a restoration from the trash over a file', async () => {
      await product().seed({ '/a.txt': 'deleted', '/b.txt': 'replaced' })
      await remove(product(), 'ann', '/a.txt')
      const [entry] = await listed(product(), 'ann')
      await goesBackAndForth(async () => {
        await restore(product(), 'ann', entry, { to: '/b.txt', replace: true })
        const { gestures } = await product()
          .as('ann')
          .operations.list({ query: { path: '/', below: 'true' } })
        return gestures[0]?.group ?? ''
      })
    })

    it('of a move into a folder that is there: also the folder that became empty, and the empty one that was there', async () => {
      await product().seed({ '/from/a.txt': 'a', '/from/b/c.txt': 'c', '/to/a.txt': 'replaced', '/to/b/d.txt': 'd', '/to/e.txt': 'e' })
      await call('POST', '/api/resources/from/empty/')
      await call('POST', '/api/resources/to/empty/')
      await call('POST', '/api/resources/nothing/')
      await goesBackAndForth(() => move('/from', '/to'))
      await goesBackAndForth(() => move('/nothing', '/to/empty'))
      await goesBackAndForth(() => move('/to/b', '/nothing'))
    })

    it('of a copy into a folder that is there', async () => {
      await product().seed({ '/from/a.txt': 'a', '/from/b/c.txt': 'c', '/from/n/n.txt': 'n', '/to/a.txt': 'replaced', '/to/b/d.txt': 'd' })
      await goesBackAndForth(() => copy('/from', '/to'))
    })

    it('of what replaced an empty file', async () => {
      await product().seed({ '/empty.txt': '', '/other.txt': 'other' })
      await goesBackAndForth(() => save('/empty.txt', 'saved'))
      await goesBackAndForth(() => upload('/empty.txt', 'uploaded'))
      await goesBackAndForth(() => move('/other.txt', '/empty.txt'))
      const { versions } = await product()
        .as('ann')
        .versions.list({ params: { path: at('/empty.txt') } })
      expect(versions.map(({ size }) => size)).not.toContain(0)
    })

    it('of a restored version, with the time that it had', async () => {
      await product().seed({ '/a.txt': 'first' })
      const start = await treeOf(product())
      const moment = await pause(product())
      await upload('/a.txt', 'second')
      const {
        versions: [version],
      } = await product()
        .as('ann')
        .versions.list({ params: { path: at('/a.txt') } })
      await goesBackAndForth(() => call('POST', '/api/versions/a.txt', { query: { id: version?.id ?? '' } }))
      await rewind(product(), moment)
      expect(await treeOf(product())).toEqual(start)
    })

    it('of a move over a file of which a version was restored over the moved one', async () => {
      await product().seed({ '/a.txt': 'moved', '/b.txt': 'replaced' })
      const start = await treeOf(product())
      const moment = await pause(product())
      await move('/a.txt', '/b.txt')
      const {
        versions: [version],
      } = await product()
        .as('ann')
        .versions.list({ params: { path: at('/b.txt') } })
      await call('POST', '/api/versions/b.txt', { query: { id: version?.id ?? '' } })
      await remove(product(), 'ann', '/b.txt')
      const end = await pause(product())
      const after = await treeOf(product())
      await rewind(product(), moment)
      expect(await treeOf(product())).toEqual(start)
      await rewind(product(), end)
      expect(await treeOf(product())).toEqual(after)
      await rewind(product(), moment)
      expect(await treeOf(product())).toEqual(start)
    })

    it('of what a server took back before it died, and could not mark', async () => {
      await product().seed({ '/a.txt': 'moved', '/b.txt': 'replaced', '/c.txt': 'c', '/d.txt': 'd' })
      const groups = [
        await move('/a.txt', '/b.txt'),
        await save('/c.txt', 'c2'),
        await remove(product(), 'ann', '/d.txt'),
        await upload('/e.txt', 'e'),
      ]
      for (const group of groups) {
        expect(new Set(await undo(group))).toEqual(new Set(['done']))
        const before = await treeOf(product())
        await product()
          .db.updateTable('operations')
          .set({ state: 'done' })
          .where('group_id', '=', group)
          .where('kind', '<>', 'delete')
          .where('state', '=', 'undone')
          .execute()
        const again = await product().as('ann').operations.undo({ params: { group } })
        expect(new Set(again.items.map(({ outcome }) => outcome))).toEqual(new Set(['done']))
        expect(again.group).toBe(null)
        expect(await treeOf(product())).toEqual(before)
      }
    })
  })
})

async function pause(product: Product): Promise<string> {
  await Bun.sleep(5)
  const moment = product.world.clock().toISOString()
  await Bun.sleep(5)
  return moment
}

async function rewind(product: Product, to: string): Promise<void> {
  const { job } = await product.as('ann').rewind.apply({ body: { path: '/', to } })
  await until(async () => {
    const now = (await product.as('ann').jobs.list({})).find(({ id }) => id === job.id)
    if (now?.state === 'failed') throw new Error(JSON.stringify(now))
    return now?.state === 'done'
  })
}

/** With modes and times, without what is kept. */
async function treeOf(product: Product): Promise<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(await product.snapshot()).filter(([path]) => path.startsWith('/') && !path.startsWith('/.satchel')),
  )
}
