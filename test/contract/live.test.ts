import { renameSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { deny, HOUR_MS, type Product, startProduct, STORAGES, withToken } from './world.ts'
import { until } from './until.ts'

/** So that a test waits for no clock. */
const PACE = { debounceMs: 1, minIntervalMs: 1, heartbeatMs: 50, pollMs: 20 }

for (const storage of STORAGES)
  describe(`events of an open folder, on ${storage} storage`, () => {
    let product: Product
    beforeEach(async () => {
      product = await startProduct({ storage, livePace: PACE })
    })
    afterEach(() => product[Symbol.asyncDispose]())

    it('report changes by others in it, and none elsewhere', async () => {
      await product.seed({ '/docs/a.txt': 'a', '/docs/deep/b.txt': 'b', '/other/c.txt': 'c' })
      await using news = await follow(product, '/docs/')
      expect(await news.next()).toMatch(/^event: ready\ndata: \{"modified":"\d{4}-.*Z"\}$/)
      const root = product.as('root')
      await root.resources.remove({ params: { path: at('/other/c.txt') } })
      await root.resources.remove({ params: { path: at('/docs/deep/b.txt') } })
      expect(await news.none()).toBe(true)
      await root.resources.transfer({ params: { path: at('/docs/a.txt') }, query: { action: 'rename', destination: '/docs/z.txt' } })
      expect(await news.next()).toBe(CHANGED)
    })

    it('A15: do not report hidden entries, whatever the folder’s time', async () => {
      await product.seed({ '/docs/a.txt': 'a', '/docs/no.txt': 'hidden', '/docs/no/x': 'hidden' })
      await product.add('ben', { rules: [deny('/docs/no.txt'), deny('/docs/no'), deny('/docs/new')] })
      await using news = await follow(product, '/docs/', await product.signIn('ben'))
      await news.next()
      const root = product.as('root')
      await root.resources.remove({ params: { path: at('/docs/no.txt') } })
      await root.resources.transfer({ params: { path: at('/docs/no') }, query: { action: 'rename', destination: '/docs/new' } })
      expect(await news.none()).toBe(true)
      await root.resources.transfer({ params: { path: at('/docs/a.txt') }, query: { action: 'rename', destination: '/docs/z.txt' } })
      expect(await news.next()).toBe(CHANGED)
    })

    it('end when the client disconnects', async () => {
      await product.seed({ '/docs/a.txt': 'a' })
      for (let n = 0; n < 40; n++) expect((await product.ask('/api/live/docs', { who: 'ann', method: 'HEAD' })).status).toBe(200)
    })

    it('end when it is removed, which is reported', async () => {
      await product.seed({ '/up/docs/a.txt': 'a' })
      await using news = await follow(product, '/up/docs/')
      await news.next()
      const root = product.as('root')
      await root.resources.transfer({ params: { path: at('/up') }, query: { action: 'rename', destination: '/else' } })
      expect((await news.rest()).at(-1)).toBe(CHANGED)
    })

    it('are refused for hidden folders and for files', async () => {
      await product.seed({ '/mine/a.txt': '', '/mine/no/b.txt': '', '/other/c.txt': '' })
      await product.add('ben', { scope: '/mine', rules: [deny('/no')] })
      expect((await product.ask('/api/live/')).status).toBe(401)
      for (const path of ['/a.txt', '/no/', '/other/', '/none/'])
        expect([path, (await product.ask(`/api/live${path}`, { who: 'ben' })).status]).toEqual([path, 404])
    })

    const ends: [string, (token: string) => unknown][] = [
      ['signs out', (token) => product.ask('/api/logout', withToken({ method: 'POST' }, token))],
      ['may see it no more', () => product.setRules('ann', [deny('/docs')])],
      ['has done nothing for too long, although the page was open', () => product.pass(3 * HOUR_MS)],
    ]
    for (const [who, end] of ends)
      it(`end when the user ${who}`, async () => {
        await product.seed({ '/docs/a.txt': 'a' })
        const token = await product.signIn('ann')
        await using news = await follow(product, '/docs/', token)
        await news.next()
        await end(token)
        await news.rest()
        expect((await product.ask('/api/live/docs/', withToken({}, token))).ok).toBe(false)
      })

    it('are limited in number for each user; a closed page makes room', async () => {
      await product.seed({ '/docs/a.txt': 'a' })
      const all = await Promise.all(Array.from({ length: 32 }, () => follow(product, '/docs/')))
      expect((await product.ask('/api/live/docs/', { who: 'ann' })).status).toBe(429)
      await all[0]?.[Symbol.asyncDispose]()
      await until(async () => {
        const one = await product.ask('/api/live/docs/', { who: 'ann' })
        await one.body?.cancel()
        return one.ok
      })
      for (const news of all) await news[Symbol.asyncDispose]()
    })
  })

describe('changes directly on the disk', () => {
  let product: Product
  beforeEach(async () => {
    product = await startProduct({ storage: 'local', livePace: { ...PACE, heartbeatMs: 60_000 } })
    await product.seed({ '/docs/a.txt': 'a', '/docs/no/x': '' })
    await product.setRules('ann', [deny('/docs/no.txt')])
  })
  afterEach(() => product[Symbol.asyncDispose]())
  const inDocs = (name: string) => join(product.root, 'docs', name)

  it('are reported: created, written, renamed, removed', async () => {
    await using news = await follow(product, '/docs/')
    await news.next()
    for (const operation of [
      () => writeFile(inDocs('new.txt'), 'new'),
      () => writeFile(inDocs('a.txt'), 'longer'),
      () => rename(inDocs('a.txt'), inDocs('b.txt')),
      () => mkdir(inDocs('folder')),
      () => rm(inDocs('b.txt')),
    ]) {
      await news.none()
      await operation()
      expect(await news.next()).toBe(CHANGED)
    }
  })

  it('are not reported if they are hidden from the viewer', async () => {
    await using news = await follow(product, '/docs/')
    await news.next()
    await writeFile(inDocs('no.txt'), 'hidden')
    await writeFile(inDocs('no/y'), 'further down')
    expect(await news.none()).toBe(true)
  })

  it('are reported when another folder gets its name', async () => {
    await using news = await follow(product, '/docs/')
    await news.next()
    await mkdir(join(product.root, 'next'))
    // In one go: whoever looks in between finds none, and that is the end.
    renameSync(join(product.root, 'docs'), join(product.root, 'old'))
    renameSync(join(product.root, 'next'), join(product.root, 'docs'))
    await product.ask('/api/resources/docs/made/', { method: 'POST', who: 'root' })
    expect(await news.next()).toBe(CHANGED)
    await news.none()
    await writeFile(inDocs('seen.txt'), 'seen')
    expect(await news.next()).toBe(CHANGED)
  })
})

const CHANGED = 'event: changed\ndata: {}'
const QUIET_MS = 80

/** A page that follows a folder. Signs of life are left out. */
async function follow(product: Product, path: string, token?: string) {
  const response = await product.ask(`/api/live${path}`, token === undefined ? { who: 'ann' } : withToken({}, token))
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let reading: ReturnType<NonNullable<typeof reader>['read']> | undefined

  async function next(): Promise<string | null> {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const event = text.slice(0, end)
        text = text.slice(end + 2)
        if (event !== ':') return event
        continue
      }
      reading ??= reader?.read()
      const part = await reading
      reading = undefined
      if (part?.value === undefined) return null
      text += decoder.decode(part.value, { stream: true })
    }
  }
  let asked: Promise<string | null> | undefined
  return {
    async next() {
      const event = await (asked ?? next())
      asked = undefined
      return event
    },
    /** Waits until no more news come. @returns whether there were none */
    async none() {
      let were = true
      for (;;) {
        asked ??= next()
        const first = await Promise.race([asked, Bun.sleep(QUIET_MS).then(() => 'quiet')])
        if (first === 'quiet') return were
        asked = undefined
        were = false
      }
    },
    async rest() {
      const events: string[] = []
      for (let event = await this.next(); event !== null; event = await this.next()) events.push(event)
      return events
    },
    async [Symbol.asyncDispose]() {
      await reader?.cancel()
    },
  }
}
