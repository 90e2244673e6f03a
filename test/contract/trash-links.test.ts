import { describe, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { HOUR_MS, onEachStorage, type Product } from './world.ts'
import { age, listed, refusal, remove, restore } from './trash-calls.ts'

const TREE = { '/docs/a.txt': 'a', '/docs/sub/b.txt': 'bb', '/other.txt': 'other' }
const WEEKS_MS = 60 * 24 * HOUR_MS

onEachStorage((product) => {
  describe('links into the trash', () => {
    it('end, and live again when their node is restored, elsewhere and after a restart', async () => {
      await product().seed(TREE)
      const file = await linkTo(product(), '/docs/a.txt')
      const folder = await linkTo(product(), '/docs')
      await remove(product(), 'ann', '/docs')
      expect([await opened(product(), file), await opened(product(), folder)]).toEqual([404, 404])
      expect(await links(product(), 'ann')).toEqual(['/docs/ in the trash', '/docs/a.txt in the trash'])
      expect(
        await refusal(
          product()
            .as('ann')
            .shares.change({ params: { hash: file }, body: { title: 'x' } }),
        ),
      ).toBe('not-found')
      product().restart()
      const [docs] = await listed(product(), 'ann')
      await restore(product(), 'ann', docs, { to: '/papers/all' })
      expect([await opened(product(), file), await opened(product(), folder)]).toEqual([200, 200])
      expect(await links(product(), 'ann')).toEqual(['/papers/all/', '/papers/all/a.txt'])
    })

    it('are listed as such for their owner and administrators, who can delete them for ever', async () => {
      await product().seed({ ...TREE, '/more.txt': 'more' })
      await product().add('bob')
      const [mine, theirs] = [await linkTo(product(), '/other.txt'), await linkTo(product(), '/more.txt')]
      await remove(product(), 'ann', '/other.txt')
      await remove(product(), 'ann', '/more.txt')
      await product().seed({ '/other.txt': 'another one' })
      expect(await links(product(), 'ann')).toEqual(['/more.txt in the trash', '/other.txt in the trash'])
      expect(await links(product(), 'root')).toEqual(['/more.txt in the trash', '/other.txt in the trash'])
      expect(await links(product(), 'bob')).toEqual([])
      expect(
        await product()
          .as('ann')
          .shares.ofPath({ params: { path: at('/other.txt') } }),
      ).toEqual([])
      expect(
        await refusal(
          product()
            .as('bob')
            .shares.remove({ params: { hash: mine } }),
        ),
      ).toBe('not-found')
      await product()
        .as('ann')
        .shares.visits({ params: { hash: mine } })
      await product()
        .as('ann')
        .shares.remove({ params: { hash: mine } })
      await product()
        .as('root')
        .shares.remove({ params: { hash: theirs } })
      expect(await hashes(product())).toEqual([])
      for (const entry of await listed(product(), 'ann')) await restore(product(), 'ann', entry, { rename: true })
      expect([await opened(product(), mine), await opened(product(), theirs)]).toEqual([404, 404])
    })

    it('never open another node that took its path', async () => {
      await product().seed(TREE)
      const file = await linkTo(product(), '/docs/a.txt')
      await remove(product(), 'ann', '/docs/a.txt')
      await product().seed({ '/docs/a.txt': 'private' })
      expect(await opened(product(), file)).toBe(404)
      await product()
        .as('ann')
        .resources.save({ params: { path: at('/docs/a.txt') }, body: 'more' })
      expect(await opened(product(), file)).toBe(404)
      const [a] = await listed(product(), 'ann')
      await restore(product(), 'ann', a, { rename: true })
      expect(await (await product().ask(`/api/public/dl/${file}`)).text()).toBe('a')
    })

    it('are gone when it is removed for good, and at once if it was never there', async () => {
      await product().seed(TREE)
      const made = [await linkTo(product(), '/docs/a.txt'), await linkTo(product(), '/docs/sub'), await linkTo(product(), '/other.txt')]
      await remove(product(), 'ann', '/docs/a.txt')
      await remove(product(), 'ann', '/docs/sub')
      await product()
        .as('ann')
        .resources.remove({ params: { path: at('/other.txt') }, query: { permanent: 'true' } })
      expect(await hashes(product())).toEqual(made.slice(0, 2).toSorted())
      const [sub] = await listed(product(), 'ann')
      await product()
        .as('ann')
        .trash.remove({ params: { id: sub?.id ?? '' } })
      expect(await hashes(product())).toEqual(made.slice(0, 1))
      await age(product(), WEEKS_MS)
      await product().world.tidy()
      expect(await hashes(product())).toEqual([])
    })

    it('do not keep their names from others', async () => {
      await product().seed(TREE)
      await product()
        .as('ann')
        .shares.create({ params: { path: at('/docs/a.txt') }, body: '{"slug":"my-cv"}' })
      await remove(product(), 'ann', '/docs/a.txt')
      await product()
        .as('ann')
        .shares.create({ params: { path: at('/other.txt') }, body: '{"slug":"My-CV"}' })
      const [a] = await listed(product(), 'ann')
      await restore(product(), 'ann', a)
      expect(await (await product().ask('/api/public/dl/my-cv')).text()).toBe('other')
      expect((await product().as('ann').shares.mine({})).length).toBe(2)
    })
  })

  it('what visitors delete is in the trash of the owner, and visitors see nothing of it', async () => {
    await product().seed(TREE)
    const { hash } = await product()
      .as('ann')
      .shares.create({ params: { path: at('/docs') }, body: '{"rights":"edit"}' })
    const response = await product().ask(`/api/public/file/${hash}/a.txt`, { method: 'DELETE' })
    expect([response.status, response.headers.get('x-satchel-operation')]).toEqual([200, null])
    const [a] = await listed(product(), 'ann')
    expect(a).toMatchObject({ path: '/docs/a.txt', via: 'link', mine: true, deletedBy: 'ann' })
    for (const [method, address] of [
      ['GET', '/api/trash'],
      ['POST', `/api/trash/${a?.id}/restore`],
      ['DELETE', `/api/trash/${a?.id}`],
    ])
      expect((await product().ask(address ?? '', { method, ...(method === 'POST' && { body: '{}' }) })).status).toBe(401)
    expect(await restore(product(), 'ann', a)).toEqual({ path: '/docs/a.txt' })
  })

  it('hooks, webhooks and open folders are told of a restoration as of an upload, and a hook can refuse it', async () => {
    await product().seed(TREE)
    const set = (commands: Record<string, string[]>) =>
      product().world.settings.change((before) => ({ ...before, commands: { ...before.commands, ...commands } }))
    const hook = { url: 'https://hooks.invalid/', events: ['after_upload' as const], enabled: true }
    await product().as('root').webhooks.create({ body: hook })
    await remove(product(), 'ann', '/docs')
    const [docs] = await listed(product(), 'ann')
    await set({ before_upload: ['false'] })
    expect(await refusal(restore(product(), 'ann', docs, { to: '/back' }))).toBe('hook-failed')
    expect(await listed(product(), 'ann')).toHaveLength(1)
    await set({ before_upload: ['true'] })
    const changed: string[] = []
    product().world.bus.on('files.changed', ({ storagePaths }) => void changed.push(...storagePaths))
    await restore(product(), 'ann', docs, { to: '/back' })
    expect(changed).toEqual(['/back'])
    const tasks = await product().db.selectFrom('jobs').select('task').execute()
    expect(tasks.map(({ task }) => JSON.parse(task))).toMatchObject([
      { body: { event: 'after_upload', path: '/back', user: { name: 'ann' } } },
    ])
  })

  it('favourites come back with what they name, also elsewhere', async () => {
    await product().seed(TREE)
    for (const path of ['/docs/sub/b.txt', '/other.txt'])
      await product()
        .as('ann')
        .favourites.star({ params: { path: at(path) } })
    const favourites = async () => (await product().as('ann').favourites.mine({})).favourites.map(({ path }) => path)
    await remove(product(), 'ann', '/docs')
    await remove(product(), 'ann', '/other.txt')
    expect(await favourites()).toEqual([])
    const [other, docs] = await listed(product(), 'ann')
    await restore(product(), 'ann', docs, { to: '/new' })
    expect(await favourites()).toEqual(['/new/sub/b.txt'])
    await product()
      .as('ann')
      .trash.remove({ params: { id: other?.id ?? '' } })
    expect(await product().db.selectFrom('favourites').select('place').execute()).toEqual([{ place: '/new/sub/b.txt' }])
  })
})

async function linkTo(product: Product, path: string): Promise<string> {
  return (await product.as('ann').shares.create({ params: { path: at(path) }, body: '' })).hash
}

/** Their paths as a person sees them, and which are to something in the trash. */
async function links(product: Product, who: string): Promise<string[]> {
  const all = await product.as(who).shares.mine({})
  expect(all.every(({ broken, inTrash }) => broken === inTrash)).toBe(true)
  return all.map(({ path, inTrash }) => (inTrash ? `${path} in the trash` : path)).toSorted()
}

async function opened(product: Product, hash: string): Promise<number> {
  return (await product.ask(`/api/public/share/${hash}`)).status
}

async function hashes(product: Product): Promise<string[]> {
  return (await product.db.selectFrom('shares').select('hash').orderBy('hash').execute()).map(({ hash }) => hash)
}
