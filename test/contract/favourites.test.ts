import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { MAX_FAVOURITES } from '../../src/shared/limits.ts'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { deny, type Product, startProduct } from './world.ts'

const TREE = { '/docs/a.txt': 'a', '/docs/sub/b.txt': 'b', '/docs-old/x.txt': 'x', '/.secret/k.txt': 'k', '/other.txt': 'other' }

let product: Product
beforeEach(async () => {
  product = await startProduct()
  await product.seed(TREE)
})
afterEach(() => product[Symbol.asyncDispose]())

describe('favourites', () => {
  it('belong to each user, in any order, for everything they may see, without any right', async () => {
    await product.add('bob', { may: NO_RIGHTS })
    await star('bob', '/docs', '/docs/a.txt', '/other.txt')
    await star('bob', '/docs')
    await star('ann', '/docs-old')
    await product.as('bob').favourites.arrange({ body: { paths: ['/other.txt', '/no-favourite', '/docs/'] } })
    expect(await favourites('bob')).toEqual(['/other.txt', '/docs', '/docs/a.txt'])
    expect(await favourites('ann')).toEqual(['/docs-old'])
    expect(await favourites('root')).toEqual([])
    await product.as('bob').favourites.unstar({ params: { path: at('/docs') } })
    expect((await product.as('bob').favourites.mine({})).favourites).toMatchObject([
      { path: '/other.txt', isDir: false, isSymlink: false, size: 5 },
      { path: '/docs/a.txt' },
    ])
    expect((await product.ask('/api/places')).status).toBe(401)
  })

  it('exclude the root and missing or hidden nodes', async () => {
    await product.setRules('ann', [deny('/docs/sub')])
    const refused = async (path: string) => (await product.ask(`/api/favourites${path}`, { method: 'PUT', who: 'ann' })).status
    expect(await Promise.all(['/', '/gone', '/docs/sub/b.txt', '/docs/%FF'].map(refused))).toEqual([400, 404, 404, 400])
    expect(await favourites('ann')).toEqual([])
  })

  it('are hidden while out of reach, and reappear with it', async () => {
    await star('ann', '/docs/sub/b.txt', '/.secret/k.txt', '/other.txt')
    await product.setRules('ann', [deny('/docs/sub'), deny('/.secret')])
    const answer = await (await product.ask('/api/places', { who: 'ann' })).text()
    expect(answer).not.toMatch(/sub|secret/)
    expect(await favourites('ann')).toEqual(['/other.txt'])
    await product.setRules('ann', [])
    expect(await favourites('ann')).toEqual(['/docs/sub/b.txt', '/.secret/k.txt', '/other.txt'])
    const { id } = await product.account('ann')
    await product.db.updateTable('users').set({ scope: '/docs' }).where('id', '=', id).execute()
    product.restart()
    expect(await favourites('ann')).toEqual(['/sub/b.txt'])
  })

  it('follow renames and moves by anyone, and are removed by deletion', async () => {
    await product.add('bob', { scope: '/docs' })
    await star('bob', '/sub', '/a.txt')
    await visit('bob', '/a.txt')
    const rename = (from: string, destination: string) =>
      product.as('ann').resources.transfer({ params: { path: at(from) }, query: { action: 'rename', destination } })
    await rename('/docs/sub', '/docs/renamed')
    await rename('/docs/a.txt', '/docs/renamed/c.txt')
    expect([await favourites('bob'), await recent('bob')]).toEqual([['/renamed', '/renamed/c.txt'], ['/renamed/c.txt']])
    await rename('/docs/renamed', '/away')
    expect([await favourites('bob'), await recent('bob')]).toEqual([[], []])
    await rename('/away', '/docs/back')
    expect(await favourites('bob')).toEqual(['/back', '/back/c.txt'])
    await product.as('ann').resources.save({ params: { path: at('/docs/back/c.txt') }, body: 'a new version' })
    expect(await favourites('bob')).toEqual(['/back', '/back/c.txt'])
    await product.as('ann').resources.remove({ params: { path: at('/docs/back') } })
    await product.seed({ '/docs/back/c.txt': 'somebody else' })
    expect([await favourites('bob'), await recent('bob')]).toEqual([[], []])
  })

  it('are limited; those out of reach make room', async () => {
    const { id } = await product.account('ann')
    const rows = Array.from({ length: MAX_FAVOURITES }, (_, n) => ({ user_id: id, place: n === 0 ? '/gone' : `/many/${n}`, rank: n }))
    await product.db.insertInto('favourites').values(rows).execute()
    await product.seed(Object.fromEntries(rows.slice(1).map(({ place }) => [place, ''])))
    await star('ann', '/docs')
    const response = await product.ask('/api/favourites/other.txt', { method: 'PUT', who: 'ann', headers: { accept: 'application/json' } })
    expect([response.status, await response.json()]).toEqual([409, { code: 'too-many-favourites', detail: { limit: MAX_FAVOURITES } }])
    expect((await favourites('ann')).at(-1)).toBe('/docs')
  })
})

describe('recent files', () => {
  it('are recorded for the user only, newest first', async () => {
    await visit('ann', '/other.txt', '/docs/a.txt', '/docs', '/gone', '/other.txt')
    expect(await recent('ann')).toEqual(['/other.txt', '/docs/a.txt'])
    expect((await product.as('ann').favourites.recent({}))[0]).toMatchObject({ how: 'opened', size: 5 })
    expect([await recent('root'), product.logged.join().includes('other.txt')]).toEqual([[], false])
    // Bytes alone are no visit: a film is read in hundreds of pieces, and scripts read too.
    await (await product.ask('/api/raw/docs/sub/b.txt', { who: 'ann' })).text()
    expect(await recent('ann')).toEqual(['/other.txt', '/docs/a.txt'])
  })

  it('can be removed individually and restored in place', async () => {
    await visit('ann', '/other.txt', '/docs/a.txt', '/docs/sub/b.txt')
    const list = await product.as('ann').favourites.recent({})
    await product.as('ann').favourites.leave({ params: { path: at('/docs/a.txt') } })
    expect(await recent('ann')).toEqual(['/docs/sub/b.txt', '/other.txt'])
    const { path, how, at: then } = list[1] ?? { path: '', how: 'opened' as const, at: 0 }
    await product.as('ann').favourites.visit({ body: { files: [{ path, how, at: then }] } })
    expect(await product.as('ann').favourites.recent({})).toEqual(list)
    // Nothing is ever later than now.
    await product.as('ann').favourites.visit({ body: { files: [{ path: '/other.txt', how, at: 8e15 }] } })
    await visit('ann', '/docs/a.txt')
    expect(await recent('ann')).toEqual(['/docs/a.txt', '/other.txt', '/docs/sub/b.txt'])
  })

  it('are removed for the user only, and reveal nothing hidden', async () => {
    await visit('ann', '/docs/a.txt', '/other.txt')
    await visit('root', '/docs/a.txt')
    await product.setRules('ann', [deny('/docs')])
    const refused = async (path: string) => (await product.ask(`/api/recent${path}`, { method: 'DELETE', who: 'ann' })).status
    expect(await Promise.all(['/docs/a.txt', '/gone'].map(refused))).toEqual([404, 404])
    expect((await product.ask('/api/recent/other.txt', { method: 'DELETE' })).status).toBe(401)
    await product.as('ann').favourites.leave({ params: { path: at('/other.txt') } })
    expect([await recent('ann'), await recent('root')]).toEqual([[], ['/docs/a.txt']])
    await product.setRules('ann', [])
    expect(await recent('ann')).toEqual(['/docs/a.txt'])
  })

  it('do not show files hidden since then', async () => {
    await visit('ann', '/docs/sub/b.txt', '/other.txt')
    await product.setRules('ann', [deny('/docs')])
    expect(await recent('ann')).toEqual(['/other.txt'])
  })

  it('can be cleared, and are not kept if disabled', async () => {
    const rows = () => product.db.selectFrom('recents').selectAll().execute()
    await visit('ann', '/other.txt')
    await product.as('ann').favourites.forget({})
    expect([await recent('ann'), (await product.as('ann').favourites.mine({})).keepsRecent]).toEqual([[], true])
    await visit('ann', '/docs/a.txt')
    await product.as('ann').favourites.keep({ body: { keep: false } })
    await visit('ann', '/other.txt')
    expect([await recent('ann'), await rows(), (await product.as('ann').favourites.mine({})).keepsRecent]).toEqual([[], [], false])
    await product.as('ann').favourites.keep({ body: { keep: true } })
    await visit('ann', '/other.txt')
    expect(await recent('ann')).toEqual(['/other.txt'])
  })

  it('are deleted with the account, like favourites', async () => {
    await star('ann', '/docs')
    await visit('ann', '/other.txt')
    expect(await recent('ann')).toHaveLength(1)
    await product.as('root').users.remove({ params: { id: String((await product.account('ann')).id) }, body: '' })
    const left = await Promise.all(
      ['favourites' as const, 'recents' as const].map((table) => product.db.selectFrom(table).selectAll().execute()),
    )
    expect(left).toEqual([[], []])
  })
})

async function star(who: string, ...paths: string[]): Promise<void> {
  for (const path of paths) await product.as(who).favourites.star({ params: { path: at(path) } })
}

async function visit(who: string, ...paths: string[]): Promise<void> {
  await product.as(who).favourites.visit({ body: { files: paths.map((path) => ({ path, how: 'opened' })) } })
}

async function favourites(who: string): Promise<string[]> {
  return (await product.as(who).favourites.mine({})).favourites.map(({ path }) => path)
}

async function recent(who: string): Promise<string[]> {
  return (await product.as(who).favourites.recent({})).map(({ path }) => path)
}
