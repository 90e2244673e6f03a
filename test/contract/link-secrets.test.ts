import { describe, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { newSecret } from '../../src/server/db/secret.ts'
import { withoutSecrets } from '../../src/server/http/log.ts'
import { createPasswords } from '../../src/server/users/password.ts'
import { startProduct, type Product } from './world.ts'

const UPLOAD = 'a-secret-of-forty-three-letters-as-our-web-has'

async function linkTo(product: Product, path: string, wish: object): Promise<string> {
  return (await product.as('ann').shares.create({ params: { path: at(path) }, body: JSON.stringify(wish) })).hash
}

describe('A13: a link with a limit of one download', () => {
  const download = (product: Product, hash: string, token: string) =>
    product.ask(`/api/public/dl/${hash}?token=${token}`).then(async (answer) => (await answer.arrayBuffer(), answer.status))

  it('A13: counts every request with an invalid ticket, also the same one a hundred times', async () => {
    await using product = await startProduct()
    await product.seed({ '/a.txt': 'a' })
    for (const madeUp of [newSecret(), 'A'.repeat(43), '-'.repeat(43)]) {
      const hash = await linkTo(product, '/a.txt', { maxDownloads: 1 })
      const statuses = await Promise.all(Array.from({ length: 100 }, () => download(product, hash, madeUp)))
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    }
  })

  it('A13: accepts its own ticket, for this link only, also after a restart', async () => {
    await using product = await startProduct()
    await product.seed({ '/a.txt': 'a' })
    const ticketOf = async (hash: string) => ((await (await product.ask(`/api/public/share/${hash}`)).json()) as { token: string }).token
    const hash = await linkTo(product, '/a.txt', { maxDownloads: 1 })
    const other = await linkTo(product, '/a.txt', { maxDownloads: 1 })
    const ticket = await ticketOf(hash)
    expect(await download(product, hash, ticket)).toBe(200)
    product.restart()
    expect(await download(product, hash, ticket)).toBe(200)
    expect(await download(product, hash, newSecret())).toBe(404)
    // Good for its own link, and a stranger's anywhere else: there it is counted each time.
    expect([await download(product, other, ticket), await download(product, other, ticket)]).toEqual([200, 404])
  })
})

describe('A16: no secret of a link or an upload', () => {
  it('A16: is logged, whatever the spelling of the address', async () => {
    await using product = await startProduct()
    await product.seed({ '/box/a.txt': 'a' })
    const hash = await linkTo(product, '/box', { rights: 'drop', slug: 'our-drop-box' })
    for (const name of [hash, 'our-drop-box', `%${hash.charCodeAt(0).toString(16)}${hash.slice(1)}`])
      for (const address of [
        `/api/public/tus/${name}/${UPLOAD}/x.txt`,
        `/api/public//tus/${name}//${UPLOAD}/x.txt`,
        `/api/public/tus%2F${name}%2f${UPLOAD}/x.txt`,
        `/api/public/share/${name}`,
        `/api/public/share//${name}/x`,
        `/api/public/share%2f${name}/x`,
        `/api/public/dl/${name}/none`,
        `/api/public/preview/thumb/${name}/none`,
        `/api/public/subtitle/${name}/none`,
        `/api/public/file/${name}/none`,
        `/api/shares/${name}/visits`,
        `/share/${name}/`,
      ])
        await product.ask(address, { method: address.includes('tus') ? 'PATCH' : 'GET' })
    await product.ask(`/api/share/${hash}x`, { method: 'DELETE', who: 'ann' })
    // As a log writes what is logged.
    const log = product.logged.map(withoutSecrets).join('\n')
    expect(log).toContain('/api/public/tus/***/***/x.txt')
    expect(log).toContain('/api/public/preview/thumb/***/none')
    for (const secret of [hash, hash.slice(1), 'our-drop-box', UPLOAD]) expect([secret, log.includes(secret)]).toEqual([secret, false])
  })

  it('A16: is stored in the table of uploads', async () => {
    await using product = await startProduct()
    await product.seed({ '/box/': '' })
    const hash = await linkTo(product, '/box', { rights: 'drop' })
    const address = `/api/public/tus/${hash}/${UPLOAD}/x.txt`
    const tus = { 'tus-resumable': '1.0.0' }
    expect((await product.ask(address, { method: 'POST', headers: { ...tus, 'upload-length': '4' } })).status).toBe(201)
    const rows = await product.db.selectFrom('uploads').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(rows.map(({ path }) => path).join()).not.toMatch(new RegExp(`${hash}|${UPLOAD}`))
    const headers = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    expect((await product.ask(address, { method: 'PATCH', headers, body: 'four' })).status).toBe(204)
    expect(await product.read('/box/x.txt')).toBe('four')
  })
})

describe('B3: two concurrent changes of a link', () => {
  it('B3: keep both the new password and the new permissions', async () => {
    const hashing = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    let isSlow = false
    const cheap = createPasswords({ cost: { memoryKiB: 8, passes: 1 } })
    const passwords: typeof cheap = {
      ...cheap,
      async hash(password, turn) {
        if (isSlow) {
          hashing.resolve()
          await release.promise
        }
        return cheap.hash(password, turn)
      },
    }
    await using product = await startProduct({ passwords })
    await product.seed({ '/docs/a.txt': 'a' })
    const hash = await linkTo(product, '/docs', { rights: 'edit' })
    isSlow = true
    const slow = product.as('ann').shares.change({ params: { hash }, body: { password: 'a new password' } })
    await hashing.promise
    await product.as('root').shares.change({ params: { hash }, body: { rights: 'view', title: 'Only to look at' } })
    release.resolve()
    expect(await slow).toMatchObject({ rights: 'view', title: 'Only to look at', hasPassword: true })
    expect(await product.as('ann').shares.mine({})).toMatchObject([{ rights: 'view', title: 'Only to look at', hasPassword: true }])
    expect((await product.ask(`/api/public/share/${hash}`)).status).toBe(401)
  })
})
