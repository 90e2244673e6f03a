import { describe, expect, it } from 'bun:test'
import { SharedResource } from '../../src/shared/contract/public.ts'
import type { Share, ShareChange, ShareInput } from '../../src/shared/contract/shares.ts'
import { isAppError } from '../../src/shared/errors.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { HOUR_MS, onEachStorage, PEER, type Product } from './world.ts'

const TREE = { '/docs/a.txt': 'the text of a', '/docs/b.txt': 'the text of b', '/other.txt': 'other' }

onEachStorage((product) => {
  describe('changing a link', () => {
    it('keeps omitted fields and the address (CVE-2021-32655)', async () => {
      await product().seed(TREE)
      const made = await make(product(), { password: 'pass', expires: 2, title: 'Papers', message: 'For <b>you</b>' })
      const changed = await change(product(), made.hash, { title: 'Other papers' })
      expect(changed).toEqual({ ...made, title: 'Other papers' })
      expect(await product().as('ann').shares.mine({})).toEqual([changed])
      expect(await status(product(), made.hash, 'pass')).toBe(200)
    })

    it('can change or remove the expiry', async () => {
      await product().seed(TREE)
      const { hash } = await make(product(), { expires: 1 })
      expect((await change(product(), hash, { expires: 90, unit: 'minutes' })).expire).toBeGreaterThan(Date.now() / 1000 + 5000)
      product().pass(1.2 * HOUR_MS)
      expect(await status(product(), hash)).toBe(200)
      expect((await change(product(), hash, { expires: '' })).expire).toBe(0)
      product().pass(10 * HOUR_MS)
      expect(await status(product(), hash)).toBe(200)
    })

    it('applies a new password at once, and invalidates the tickets of the old one', async () => {
      await product().seed(TREE)
      const { hash } = await make(product(), { password: 'old' })
      const opened = await product().ask(`/api/public/share/${hash}`, { headers: { 'x-share-password': 'old' } })
      const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
      const byCookie = async () => (await product().ask(`/api/public/dl/${hash}/a.txt`, { headers: { cookie } })).status
      expect(await byCookie()).toBe(200)
      expect((await change(product(), hash, { password: 'new' })).hasPassword).toBe(true)
      expect([await byCookie(), await status(product(), hash, 'old'), await status(product(), hash, 'new')]).toEqual([401, 401, 200])
      expect((await change(product(), hash, { password: '' })).hasPassword).toBe(false)
      expect(await status(product(), hash)).toBe(200)
    })

    it('is limited to its owner, and so are its visits (GHSA-6cqf-cfhv-659g)', async () => {
      await product().seed(TREE)
      await product().add('ben')
      const { hash } = await make(product(), { slug: 'papers' })
      const as = (who: string) => product().as(who).shares
      for (const name of [hash, 'papers', 'neverwas']) {
        expect(await failure(as('ben').change({ params: { hash: name }, body: { title: 'mine' } }))).toBe('not-found')
        expect(await failure(as('ben').visits({ params: { hash: name } }))).toBe('not-found')
      }
      expect((await as('root').change({ params: { hash }, body: { title: 'seen' } })).title).toBe('seen')
      expect(await as('root').visits({ params: { hash } })).toEqual([])
    })

    it('refuses invalid values, and leaves the link unchanged', async () => {
      await product().seed(TREE)
      const made = await make(product(), { expires: 1, slug: 'kept' })
      const drop = { maxFile: 0, maxFiles: 0, maxBytes: 0, types: [] }
      const wrong: unknown[] = [
        { expires: '-1' },
        { starts: made.expire },
        { starts: -1 },
        { title: 'x'.repeat(121) },
        { message: 'x'.repeat(2001) },
        { maxDownloads: 1.5 },
        { maxDownloads: -1 },
        { rights: 'everything' },
        { slug: 'ab' },
        { slug: 'a/../b' },
        { slug: 'login' },
        { drop: { ...drop, types: ['../x'] } },
        { drop: { ...drop, maxFile: -1 } },
      ]
      for (const body of wrong) {
        const response = await product().ask(`/api/shares/${made.hash}`, { method: 'PATCH', who: 'ann', body: JSON.stringify(body) })
        expect([JSON.stringify(body), response.status]).toEqual([JSON.stringify(body), 400])
      }
      expect(await product().as('ann').shares.mine({})).toEqual([made])
      const file = await make(product(), {}, '/other.txt')
      for (const rights of ['edit', 'drop'] as const) expect(await failure(change(product(), file.hash, { rights }))).toBe('invalid-input')
    })
  })

  describe('a custom name of a link', () => {
    it('opens it case-insensitively, as does the hash', async () => {
      await product().seed(TREE)
      const { hash } = await make(product(), { slug: 'Summer-2026', password: 'pass' })
      for (const name of [hash, 'Summer-2026', 'summer-2026']) expect(await status(product(), name, 'pass')).toBe(200)
      const opened = await product().ask('/api/public/share/SUMMER-2026', { headers: { 'x-share-password': 'pass' } })
      const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
      for (const name of [hash, 'summer-2026'])
        expect((await product().ask(`/api/public/dl/${name}/a.txt`, { headers: { cookie } })).status).toBe(200)
      await change(product(), hash, { slug: '' })
      expect([await status(product(), 'summer-2026', 'pass'), await status(product(), hash, 'pass')]).toEqual([404, 200])
    })

    it('is unique case-insensitively, and never equals the hash of another link', async () => {
      await product().seed(TREE)
      await product().add('ben')
      const mine = await make(product(), { slug: 'papers' })
      const other = await make(product(), {}, '/other.txt', 'ben')
      for (const slug of ['papers', 'PAPERS']) {
        expect(await failure(change(product(), other.hash, { slug }, 'ben'))).toBe('already-exists')
        expect(await failure(make(product(), { slug }, '/other.txt', 'ben'))).toBe('already-exists')
      }
      const spelled = mine.hash.toLowerCase()
      // A hash may begin or end as no slug does.
      if (/^[a-z0-9].*[a-z0-9]$/.test(spelled))
        expect(await failure(change(product(), other.hash, { slug: spelled }, 'ben'))).toBe('already-exists')
      expect(await change(product(), mine.hash, { slug: 'PAPERS' })).toMatchObject({ slug: 'PAPERS' })
      const race = await Promise.allSettled(Array.from({ length: 20 }, () => make(product(), { slug: 'only-one' }, '/other.txt', 'ben')))
      expect(race.filter(({ status: how }) => how === 'fulfilled')).toHaveLength(1)
    })
  })

  describe('a link with a start time', () => {
    it('reveals only its start time until then, and opens after it', async () => {
      await product().seed(TREE)
      const starts = Math.floor(Date.now() / 1000) + 3600
      const { hash } = await make(product(), { starts, title: 'secret title' })
      for (const call of ['share', 'dl']) {
        const response = await product().ask(`/api/public/${call}/${hash}`, { headers: { accept: 'application/json' } })
        expect([response.status, await response.json()]).toEqual([403, { code: 'share-not-yet', detail: { starts } }])
      }
      product().pass(HOUR_MS + 1000)
      expect(await status(product(), hash)).toBe(200)
    })

    it('is not found when its owner loses the share permission', async () => {
      await product().seed(TREE)
      await product().add('ben')
      const { hash } = await make(product(), { starts: Math.floor(Date.now() / 1000) + 3600 }, '/docs', 'ben')
      await product().world.users.setDisabled((await product().account('ben')).id, { disabled: true })
      expect(await status(product(), hash)).toBe(404)
    })
  })

  it('a link shows its title and message to visitors as plain text', async () => {
    await product().seed(TREE)
    const title = '“Papers” </title><script>alert(1)</script>'
    const { hash } = await make(product(), { title, message: 'line 1\nline 2' })
    const told = SharedResource.parse(await (await product().ask(`/api/public/share/${hash}`)).json())
    expect(told.link).toMatchObject({ title, message: 'line 1\nline 2', rights: 'download', limited: false })
  })

  it('a link shows its expiry to visitors, and nothing if it has none', async () => {
    await product().seed(TREE)
    const { hash, expire } = await make(product(), { expires: '2', unit: 'days' })
    const expiresOf = async (link: string) =>
      SharedResource.parse(await (await product().ask(`/api/public/share/${link}`)).json()).link?.expires
    expect(expire).toBeGreaterThan(0)
    expect(await expiresOf(hash)).toBe(expire)
    expect(await expiresOf((await make(product())).hash)).toBe(0)
  })

  describe('the owner of a link', () => {
    it('can see visits and downloads with time and address, with repetitions merged', async () => {
      await product().seed(TREE)
      const { hash } = await make(product())
      for (let n = 0; n < 3; n++) await status(product(), hash)
      await product().ask(`/api/public/dl/${hash}/a.txt`)
      await product().ask(`/api/public/dl/${hash}/a.txt`, { headers: { range: 'bytes=0-3' } })
      await product().ask(`/api/public/dl/${hash}/nothing.txt`)
      const visits = await product().as('ann').shares.visits({ params: { hash } })
      expect(visits.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['download /a.txt', 'visit '])
      for (const { at: when, address } of visits) {
        expect(when).toBeWithin(Date.now() - 60_000, Date.now() + 1000)
        expect(address).toBe(product().port === 0 ? PEER : '127.0.0.1')
      }
      product().pass(HOUR_MS)
      await status(product(), hash)
      expect(await product().as('ann').shares.visits({ params: { hash } })).toHaveLength(3)
    })

    it('can disable the visit log and clear it', async () => {
      await product().seed(TREE)
      const { hash } = await make(product())
      await status(product(), hash)
      await change(product(), hash, { logVisits: false })
      await status(product(), hash)
      await product().ask(`/api/public/dl/${hash}/a.txt`)
      expect(await product().as('ann').shares.visits({ params: { hash } })).toEqual([])
      expect(await product().db.selectFrom('share_visits').selectAll().execute()).toEqual([])
    })

    it('deletes the visit log with the link', async () => {
      await product().seed(TREE)
      const { hash } = await make(product(), { maxDownloads: 5, password: 'pass' })
      await product()
        .ask(`/api/public/dl/${hash}/a.txt`, { headers: { 'x-share-password': 'pass' } })
        .then((answer) => answer.text())
      await product().as('ann').shares.remove({ params: { hash } })
      for (const table of ['share_visits', 'share_downloads', 'share_tickets'] as const)
        expect(await product().db.selectFrom(table).selectAll().execute()).toEqual([])
    })
  })
})

async function make(product: Product, wish: ShareInput = {}, path = '/docs', who = 'ann'): Promise<Share> {
  return product.as(who).shares.create({ params: { path: at(path) }, body: JSON.stringify(wish) })
}

async function change(product: Product, hash: string, body: ShareChange, who = 'ann'): Promise<Share> {
  return product.as(who).shares.change({ params: { hash }, body })
}

async function status(product: Product, name: string, password?: string): Promise<number> {
  const headers: Record<string, string> = password === undefined ? {} : { 'x-share-password': password }
  return (await product.ask(`/api/public/share/${name}`, { headers })).status
}

async function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => (isAppError(error) ? error.code : String(error)),
  )
}
