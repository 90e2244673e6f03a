import { describe, expect, it } from 'bun:test'
import type { SearchHit } from '../../src/shared/contract/search.ts'
import { ROOT } from '../../src/shared/file-path.ts'
import { PASSWORD, type Product, startProduct } from './world.ts'

describe('S5: clients of the predecessor get search results in the form that they read (decision 049)', () => {
  const HITS = ['docs/a-x.txt', 'docs/x']

  async function seeded(options: Parameters<typeof startProduct>[0] = {}): Promise<Product> {
    const product = await startProduct(options)
    await product.seed({ '/docs/a-x.txt': 'a', '/docs/x/': '' })
    return product
  }

  it('S5: 2.63 gets lines, from the first search after its first folder', async () => {
    await using product = await seeded()
    const page = await openFrontEnd(product, '2.63')
    expect(await page.search('/', 'x')).toEqual(HITS)
    await page.open('/docs/')
    expect(await page.search('/docs/', 'x')).toEqual(['a-x.txt', 'x'])
    expect(await page.search('/docs/', 'nothing')).toEqual([])
    expect((await page.ask('/api/search/?query=x')).headers.get('content-type')).toBe('text/plain; charset=utf-8')
  })

  it('S5: 2.17 gets an array, and so does 2.40, which asks for usage and reads no lines', async () => {
    await using product = await seeded()
    for (const version of ['2.17', '2.40'] as const) {
      const page = await openFrontEnd(product, version)
      await page.open('/docs/')
      expect([version, await page.search('/', 'x')]).toEqual([version, HITS.toReversed()])
      expect([version, await page.search('/', 'nothing')]).toEqual([version, []])
    }
  })

  it('S5: each session of an account has its own form', async () => {
    await using product = await seeded()
    const [old, young] = [await openFrontEnd(product, '2.17'), await openFrontEnd(product, '2.63')]
    for (let times = 0; times < 2; times++) {
      expect(await young.search('/', 'x')).toEqual(HITS)
      expect(await old.search('/', 'x')).toEqual(HITS.toReversed())
    }
  })

  it('S5: the form is kept after a reload, a renewal and a restart, and known to other servers at once', async () => {
    await using product = await seeded({ storage: 'local' })
    const page = await openFrontEnd(product, '2.63')
    // As by a page that renews between its folder and its search.
    await page.renew()
    expect(await page.search('/', 'x')).toEqual(HITS)
    product.restart()
    expect(await page.search('/', 'x')).toEqual(HITS)
    await page.renew()
    expect(await page.search('/', 'x')).toEqual(HITS)
  })

  it('S5: scripts, clients that name a media type, and our web keep their form', async () => {
    await using product = await seeded()
    const young = await openFrontEnd(product, '2.63')
    for (const accept of ['application/json', 'application/json, text/plain, */*'])
      expect(await (await young.ask('/api/search/?query=x', { accept })).json()).toHaveLength(2)
    expect(await (await young.ask('/api/search/?query=x', { accept: 'application/x-ndjson' })).text()).toEndWith(
      '{"end":true,"cut":null}\n',
    )
    // A script, which opens folders and asks for usage as it always did.
    for (const address of ['/api/resources/', '/api/usage/', '/api/resources/docs/a-x.txt']) await product.ask(address, { who: 'ann' })
    for (const accept of ['*/*', 'application/json', ''])
      expect(await (await product.ask('/api/search/?query=x', { who: 'ann', headers: { accept } })).json()).toHaveLength(2)
    expect(await product.as('ann').search.run({ params: { path: ROOT }, query: { query: 'x' } })).toHaveLength(2)
  })

  it('S5: `searchLines` decides for unrecognised clients, including 2.53', async () => {
    for (const searchLines of [false, true]) {
      await using product = await seeded({ searchLines })
      const page = await openFrontEnd(product, '2.53')
      expect(await page.search('/', 'x')).toEqual(searchLines ? HITS : [])
    }
  })
})

interface FrontEnd {
  /** Opens a folder. */
  open(folder: string): Promise<void>
  /** What its page shows: the paths of what it read. */
  search(folder: string, text: string): Promise<unknown[]>
  renew(): Promise<void>
  ask(address: string, headers?: Record<string, string>): Promise<Response>
}

/** Signs in and opens the root with the requests that the page of this version sends, in their order and with the headers of a browser. */
async function openFrontEnd(product: Product, version: '2.17' | '2.40' | '2.53' | '2.63'): Promise<FrontEnd> {
  const browser = {
    accept: '*/*',
    'accept-language': 'en',
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'cors',
    'sec-fetch-dest': 'empty',
  }
  const opened = version === '2.63' ? { 'x-encoding': 'false' } : undefined
  const readsLines = version === '2.53' || version === '2.63'
  const body = JSON.stringify({ username: 'ann', password: PASSWORD, recaptcha: '' })
  const headers = { ...browser, 'content-type': 'application/json' }
  const signIn = await product.ask('/api/login', { method: 'POST', headers, body })
  let token = await signIn.text()
  const ask: FrontEnd['ask'] = (address, more) =>
    product.ask(address, { headers: { ...browser, 'x-auth': token, cookie: `auth=${token}`, ...more } })

  const page: FrontEnd = {
    ask,
    async open(folder) {
      expect((await ask(`/api/resources${folder}`, opened)).status).toBe(200)
      if (version !== '2.17') await ask(`/api/usage${folder}`)
    },
    async search(folder, text) {
      const answer = await ask(`/api/search${folder}?query=${encodeURIComponent(text)}`)
      const told = readsLines ? readLines(await answer.text()) : ((await answer.json()) as SearchHit[])
      return told.map(({ path }) => path)
    },
    async renew() {
      const renewed = await product.ask('/api/renew', { method: 'POST', headers: { ...browser, 'x-auth': token, cookie: `auth=${token}` } })
      expect(renewed.status).toBe(200)
      token = await renewed.text()
    },
  }
  await page.open('/')
  return page
}

/** As 2.53 and later: each line is a hit, empty ones are not, and so is what comes after the last line end. */
function readLines(text: string): SearchHit[] {
  const whole = text.split('\n').slice(0, -1)
  return whole.filter((line) => line !== '').map((line) => JSON.parse(line) as SearchHit)
}
