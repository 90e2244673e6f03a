import { describe, expect, it } from 'bun:test'
import type { Share, ShareInput } from '../../src/shared/contract/shares.ts'
import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../../src/shared/contract/tus.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { png } from './pictures.ts'
import { EVERYTHING, HOUR_MS, onEachStorage, type Product } from './world.ts'
import { until } from './until.ts'

/** More than the buffers of a connection hold: what nobody reads stays on this side. */
const LONG = 'x'.repeat(32 * 1024 * 1024)

onEachStorage((product) => {
  describe('a link with a download limit', () => {
    it('allows exactly that number, however many requests run in parallel (SFTPGo ac4fc342)', async () => {
      await product().seed({ '/docs/a.txt': 'the text of a' })
      const { hash } = await make(product(), { maxDownloads: 7 })
      const answers = await Promise.all(
        Array.from({ length: 100 }, async () => {
          const answer = await product().ask(`/api/public/dl/${hash}/a.txt`)
          return `${answer.status} ${answer.ok ? await answer.text() : ''}`
        }),
      )
      expect(answers.filter((answer) => answer === '200 the text of a')).toHaveLength(7)
      expect(answers.filter((answer) => answer === '404 ')).toHaveLength(93)
      expect(await taken(product())).toBe(7)
    })

    it('counts a visitor’s ranges of one file once a day, and another file again', async () => {
      await product().seed({ '/docs/a.txt': 'the text of a', '/docs/b.txt': 'the text of b' })
      const { hash } = await make(product(), { maxDownloads: 2 })
      const cookie = (await product().ask(`/api/public/share/${hash}`)).headers.get('set-cookie')?.split(';')[0] ?? ''
      const take = async (name: string, range?: string) => {
        const headers = { cookie, ...(range === undefined ? {} : { range }) }
        const answer = await product().ask(`/api/public/dl/${hash}/${name}`, { headers })
        return `${answer.status} ${answer.ok ? await answer.text() : ''}`
      }
      expect(await take('a.txt', 'bytes=0-2')).toBe('206 the')
      expect(await take('a.txt', 'bytes=3-')).toBe('206  text of a')
      expect(await take('a.txt')).toBe('200 the text of a')
      expect(await taken(product())).toBe(1)
      expect(await take('b.txt')).toBe('200 the text of b')
      expect(await take('a.txt', 'bytes=0-2')).toBe('206 the')
      product().pass(25 * HOUR_MS)
      expect(await take('a.txt')).toBe('404 ')
      expect(await taken(product())).toBe(2)
    })

    it('does not count viewing: pages, images, HEAD and cached responses', async () => {
      await product().seed({ '/docs/p.png': await png(1500, 1200) })
      const { hash } = await make(product(), { maxDownloads: 1 })
      const cookie = (await product().ask(`/api/public/share/${hash}`)).headers.get('set-cookie')?.split(';')[0] ?? ''
      expect((await product().ask(`/api/public/preview/thumb/${hash}/p.png`)).status).toBe(200)
      const head = await product().ask(`/api/public/dl/${hash}/p.png`, { method: 'HEAD' })
      expect(head.status).toBe(200)
      const etag = head.headers.get('etag') ?? ''
      expect((await product().ask(`/api/public/dl/${hash}/p.png`, { headers: { cookie, 'if-none-match': etag } })).status).toBe(304)
      expect(await taken(product())).toBe(0)
    })

    it('counts archives, and is not found after the last download until its owner allows more', async () => {
      await product().seed({ '/docs/a.txt': 'the text of a', '/docs/p.png': await png(40, 30) })
      const { hash } = await make(product(), { maxDownloads: 2 })
      for (const algo of ['zip', 'tar.gz']) {
        const answer = await product().ask(`/api/public/dl/${hash}/?algo=${algo}`)
        expect([answer.status, (await answer.bytes()).length > 0]).toEqual([200, true])
      }
      expect(await everyAnswer(product(), hash)).toEqual(await everyAnswer(product(), 'AAAAAAAA'))
      expect(await product().as('ann').shares.mine({})).toMatchObject([{ hash, maxDownloads: 2, downloads: 2 }])
      await product()
        .as('ann')
        .shares.change({ params: { hash }, body: { maxDownloads: 3 } })
      expect((await product().ask(`/api/public/share/${hash}`)).status).toBe(200)
    })

    it('does not ask for a password or reveal its expiry when it is used up', async () => {
      await product().seed({ '/docs/a.txt': 'the text of a' })
      const { hash } = await make(product(), { maxDownloads: 1, password: 'pass' })
      const headers = { 'x-share-password': 'pass' }
      expect((await product().ask(`/api/public/share/${hash}`)).status).toBe(401)
      expect(await (await product().ask(`/api/public/dl/${hash}/a.txt`, { headers })).text()).toBe('the text of a')
      const never = await everyAnswer(product(), 'AAAAAAAA', headers)
      expect(await everyAnswer(product(), hash)).toEqual(never)
      expect(await everyAnswer(product(), hash, headers)).toEqual(never)
      await product()
        .as('ann')
        .shares.change({ params: { hash }, body: { starts: Math.floor(Date.now() / 1000) + 3600 } })
      expect(await everyAnswer(product(), hash, headers)).toEqual(never)
    })

    it('does not count aborted downloads, except when together they make up the whole', async () => {
      await product().seed({ '/docs/long.bin': LONG })
      const { hash } = await make(product(), { maxDownloads: 1 })
      const breakOff = async (bytes: number) => {
        const leaving = new AbortController()
        const answer = await product().ask(`/api/public/dl/${hash}/long.bin`, { signal: leaving.signal })
        if (!answer.ok) return answer.status
        const reader = (answer.body ?? new Blob().stream()).getReader()
        for (let read = 0; read < bytes;) read += (await reader.read()).value?.byteLength ?? bytes
        await reader.cancel()
        leaving.abort()
        return answer.status
      }
      expect(await breakOff(1)).toBe(200)
      await until(async () => (await taken(product())) === 0)
      expect(await breakOff(1)).toBe(200)
      await until(async () => (await taken(product())) === 0)
      let again = 0
      for (; again < 40 && (await breakOff(LONG.length / 4)) === 200; again++) await settled(product())
      expect(again).toBeLessThan(10)
      expect(await taken(product())).toBe(1)
    })
  })

  describe('a view-only link', () => {
    it('shows names and images, but no file content', async () => {
      await product().seed({ '/docs/p.png': await png(1500, 1200), '/docs/small.gif': 'GIF89a', '/docs/a.txt': 'the text of a' })
      const { hash } = await make(product(), { rights: 'view' })
      expect((await product().ask(`/api/public/share/${hash}`)).status).toBe(200)
      for (const size of ['thumb', 'big']) {
        const picture = await product().ask(`/api/public/preview/${size}/${hash}/p.png`)
        expect([size, picture.status, picture.headers.get('content-type')]).toEqual([size, 200, 'image/jpeg'])
      }
      for (const address of [
        'dl',
        'dl/H/p.png',
        'dl/H/a.txt?inline=true',
        'dl/H/?algo=zip',
        'dl/H/?files=a.txt&files=p.png',
        'subtitle/H/a.txt',
      ]) {
        const path = address.includes('H') ? address.replace('H', hash) : `${address}/${hash}`
        expect([address, (await product().ask(`/api/public/${path}`)).status]).toEqual([address, 403])
      }
      // Images that are too small or cannot be scaled would be sent unchanged.
      const original = await product().ask(`/api/public/preview/big/${hash}/small.gif`)
      expect([original.ok, (await original.text()).includes('GIF89a')]).toEqual([false, false])
    })
  })

  describe('an editable link', () => {
    it('lets visitors rename and delete inside it, within the owner’s permissions', async () => {
      await product().add('ben')
      await product().seed({ '/docs/a.txt': 'a', '/docs/b.txt': 'b', '/docs/c.txt': 'c' })
      const { hash } = await make(product(), { rights: 'edit' }, 'ben')
      const rename = async (path: string, name: string) =>
        (await product().ask(`/api/public/file/${hash}/${path}`, { method: 'PATCH', body: JSON.stringify({ name }) })).status
      const remove = async (path: string) => (await product().ask(`/api/public/file/${hash}/${path}`, { method: 'DELETE' })).status
      expect([await rename('a.txt', 'new.txt'), await remove('b.txt')]).toEqual([200, 200])
      expect(await product().read('/docs/new.txt')).toBe('a')
      expect([await rename('new.txt', 'c.txt'), await rename('new.txt', '../up.txt'), await rename('', 'other')]).toEqual([409, 400, 400])
      expect([await remove(''), await remove('../docs'), await remove('nothing')]).toEqual([403, 404, 404])
      await product().setRights('ben', { ...EVERYTHING, delete: false, rename: false })
      expect([await rename('new.txt', 'x.txt'), await remove('c.txt')]).toEqual([403, 403])
      expect(await product().read('/docs/c.txt')).toBe('c')
      const visits = await product().as('ben').shares.visits({ params: { hash } })
      expect(visits.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['delete /b.txt', 'rename /a.txt'])
    })

    it('cannot be changed with a cookie alone, which other sites could use', async () => {
      await product().seed({ '/docs/a.txt': 'a' })
      const { hash } = await make(product(), { rights: 'edit', password: 'pass' })
      const opened = await product().ask(`/api/public/share/${hash}`, { headers: { 'x-share-password': 'pass' } })
      const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
      const { token } = (await opened.json()) as { token: string }
      const remove = async (headers: Record<string, string>, query = '') =>
        (await product().ask(`/api/public/file/${hash}/a.txt${query}`, { method: 'DELETE', headers })).status
      expect([await remove({ cookie }), await remove({}, `?token=${token}`), await remove({})]).toEqual([401, 401, 401])
      expect(await remove({ 'x-share-ticket': token })).toBe(200)
    })

    it('is the only kind that accepts changes (GHSA-fwj3-42wh-8673, GHSA-qqqm-5547-774x)', async () => {
      await product().seed({ '/docs/a.txt': 'a', '/docs/sub/b.txt': 'b', '/other.txt': 'other' })
      const before = await product().snapshot()
      for (const rights of ['view', 'download', 'drop'] as const) {
        const { hash } = await make(product(), { rights })
        for (const path of ['a.txt', '', 'sub', '../other.txt', '..%2fother.txt', '%2e%2e/other.txt', 'nothing']) {
          const remove = await product().ask(`/api/public/file/${hash}/${path}`, { method: 'DELETE' })
          const rename = await product().ask(`/api/public/file/${hash}/${path}`, { method: 'PATCH', body: '{"name":"x"}' })
          // What climbs out of the address names another link, which never was, or means nothing.
          const refused = path.includes('other') ? [400, 404] : [403]
          expect([rights, path, refused.includes(remove.status), refused.includes(rename.status)]).toEqual([rights, path, true, true])
        }
      }
      expect(await product().snapshot()).toEqual(before)
    })
  })
})

async function make(product: Product, wish: ShareInput, who = 'ann'): Promise<Share> {
  return product.as(who).shares.create({ params: { path: at('/docs') }, body: JSON.stringify(wish) })
}

/** What every public call says of a link: status, headers and text. */
async function everyAnswer(product: Product, hash: string, extra: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const file = ['share', 'dl', 'preview/thumb', 'preview/big', 'subtitle'].flatMap((call) =>
    ['', 'a.txt', 'nothing'].flatMap((path) => ['GET', 'HEAD'].map((method) => ({ method, path: `${call}/H/${path}` }))),
  )
  const changes = ['PATCH', 'DELETE'].map((method) => ({ method, path: 'file/H/a.txt', body: method === 'PATCH' ? '{"name":"x"}' : null }))
  const sent = ['POST', 'HEAD', 'PATCH', 'DELETE'].flatMap((method) =>
    [crypto.randomUUID(), 'short'].map((secret) => ({ method, path: `tus/H/${secret}/new.txt`, name: `tus ${secret.length}` })),
  )
  const told: Record<string, unknown> = {}
  for (const { method, path, name = path, body = null } of [...file, ...changes, ...sent].map((call) => ({
    name: undefined,
    body: null,
    ...call,
  }))) {
    const tus = { 'tus-resumable': TUS_VERSION, 'upload-length': '5', 'upload-offset': '0', 'content-type': OFFSET_MEDIA_TYPE }
    const mode = { 'sec-fetch-mode': 'navigate', accept: 'application/json' }
    const headers = { ...mode, ...(path.startsWith('tus') ? tus : {}), ...extra }
    const answer = await product.ask(`/api/public/${path.replace('H', hash)}`, { method, headers, body, redirect: 'manual' })
    told[`${method} ${name}`] = [answer.status, [...answer.headers].filter(([key]) => key !== 'date'), await answer.text()]
  }
  return told
}

/** Of the one link there is. */
async function taken(product: Product): Promise<number> {
  return (await product.db.selectFrom('shares').select('downloads').executeTakeFirstOrThrow()).downloads
}

async function settled(product: Product): Promise<void> {
  await until(async () => {
    const rows = await product.db.selectFrom('share_downloads').select('running').execute()
    return rows.every(({ running }) => running === 0)
  })
}
