import { linkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import { endpointsOf } from '../../src/shared/contract/endpoint.ts'
import { api } from '../../src/shared/contract/index.ts'
import { EVENTS_MEDIA_TYPE } from '../../src/shared/contract/live.ts'
import { OFFSET_MEDIA_TYPE } from '../../src/shared/contract/tus.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { MAX_TEXT_BYTES } from '../../src/shared/limits.ts'
import { tarOf } from './archive-samples.ts'
import { type EndpointName, type LooseArgs, requestOf, SAMPLE_FILES, samples } from './samples.ts'
import { onlyInProcess } from './over-http.ts'
import { deny, type Product, startProduct } from './world.ts'

const TERABYTE = 1024 ** 4
const MEBIBYTE = 1024 ** 2
const MARKUP = '"><script>alert(1)</script>'

it('a parameter with a path reaches only what its caller may see (GHSA-vvp7-h4fj-m28w)', async () => {
  await using product = await startProduct()
  await product.seed({
    '/outside.srt': '1\n00:00:01,000 --> 00:00:02,000\nSECRET\n',
    '/home/film.srt': 'open',
    '/home/secret/film.srt': '1\n00:00:01,000 --> 00:00:02,000\nSECRET\n',
    '/home/x.tar': Buffer.from(tarOf([{ name: 'a.txt', text: 'open' }])),
  })
  await product.add('ben', { scope: '/home', rules: [deny('/secret')] })
  const places = ['/secret/film.srt', '/../outside.srt', '/%2e%2e/outside.srt', '/..%2foutside.srt']
  const addresses = places.flatMap((place) => [
    `/api/subtitle${place}`,
    `/api/preview/thumb${place}`,
    `/api/raw/?files=${place}`,
    `/api/raw/?files=film.srt,${place}`,
    `/api/raw/?files=film.srt&files=${place}`,
    `/api/archive/entry${place}?index=0&inside=a.txt`,
    `/api/archive/entry/x.tar?index=0&inside=${place}`,
    `/api/archive/list${place}`,
    `/api/resources${place}?checksum=md5`,
    `/api/search${place}/?query=`,
    `/api/usage${place}`,
  ])
  for (const address of addresses) {
    const answer = await product.ask(address, { who: 'ben' })
    const text = await answer.text()
    expect([address, answer.status >= 400 || text === '[]', text.includes('SECRET')]).toEqual([address, true, false])
  }
  // The same calls answer for what may be seen.
  const seen = ['subtitle/film.srt', 'raw/?files=/film.srt', 'archive/entry/x.tar?index=0&inside=a.txt', 'archive/list/x.tar', 'usage/']
  for (const address of seen) expect([address, (await product.ask(`/api/${address}`, { who: 'ben' })).status]).toEqual([address, 200])
  for (const [path, status] of Object.entries({ '/secret': 404, '/secret/film.srt': 404, '/film.srt': 200 })) {
    const body = JSON.stringify({ kind: 'pack', paths: [path], destination: '/packed.zip', format: 'zip' })
    expect([path, (await product.ask('/api/jobs', { method: 'POST', who: 'ben', body })).status]).toEqual([path, status])
  }
})

it('the Content-Disposition header encodes any name safely (CVE-2021-32679, GHSA-cw7j-v52w-fp5r)', async () => {
  await using product = await startProduct()
  for (const name of ['a"; filename="b.html', 'a\r\nset-cookie: evil=1', 'a;b=c', "a'b''c", '\u202etxt.exe', '%0d%0a', 'ä%22', '\\"']) {
    await product.seed({ [`/${name}`]: 'x' })
    for (const more of ['', '?inline=true']) {
      const answer = await product.ask(`/api/raw/${encodeURIComponent(name)}${more}`, { who: 'ann' })
      expect([name, answer.status, answer.headers.get('set-cookie')]).toEqual([name, 200, null])
      const said = answer.headers.get('content-disposition') ?? ''
      expect(said).toMatch(/^(attachment|inline); filename\*=utf-8''[\w.~%$&+=:@!*'()-]+$/)
      expect(decodeURIComponent(said.split("''", 2)[1] ?? '')).toBe(name)
      await leave(answer)
    }
  }
})

it('GET and HEAD change nothing (CVE-2026-61502)', async () => {
  await using product = await startProduct()
  await product.seed(SAMPLE_FILES)
  const hash = (await product.as('ann').shares.create({ params: { path: at('/folder') }, body: '' })).hash
  const { id } = await product.account('ann')
  const before = await standing(product)
  for (const { name, call } of endpointsOf(api).filter(({ call: { method } }) => method === 'GET' || method === 'HEAD'))
    for (const sample of samples[name as EndpointName]) {
      const { address, init } = requestOf(call, sample.args(String(id), hash) as LooseArgs)
      const who = call.by === 'admin' ? 'root' : 'ann'
      for (const method of ['GET', 'HEAD']) await leave(await product.ask(address, { ...init, method, who }))
    }
  expect(await standing(product)).toEqual(before)
  // A hundred calls, some of which start a program.
}, 300_000)

it('input is never reflected as a page or a header (GHSA-f54q-j679-p9hh, GHSA-cw7j-v52w-fp5r, CVE-2025-54589, CVE-2026-27948)', async () => {
  await using product = await startProduct()
  await product.seed(SAMPLE_FILES)
  const tails = [
    ...['k304', 'setck', 'hc', 'ru', 'filter', 'lang', 'redirect'].map((name) => `${name}=${encodeURIComponent(MARKUP)}`),
    'setck=cppwd%3Dx%0d%0aset-cookie:%20evil=1',
    'algo=%0d%0aset-cookie:%20evil=1',
    'checksum=%0d%0aset-cookie:%20evil=1',
  ]
  const headers = { accept: MARKUP, referer: `http://other.test/${MARKUP}`, 'user-agent': MARKUP, 'x-evil': MARKUP }
  for (const { name, call } of endpointsOf(api).filter(({ call: { method } }) => method === 'GET')) {
    const { address } = requestOf(call, samples[name as EndpointName][0].args('1') as LooseArgs)
    // Each of these starts a program.
    for (const tail of name.startsWith('unpack.') ? tails.slice(0, 1) : tails) {
      const answer = await product.ask(`${address}${address.includes('?') ? '&' : '?'}${tail}`, { who: 'ann', headers })
      expect([name, tail, answer.headers.get('set-cookie'), answer.status < 500]).toEqual([name, tail, null, true])
      expect(answer.headers.get('content-type') ?? '').not.toContain('html')
      await leave(answer)
    }
  }
}, 300_000)

it('guesses at unknown names are limited like all others (CVE-2026-61503)', async () => {
  await using product = await startProduct()
  product.stopClock()
  const statuses = new Set<number>()
  for (let i = 0; i < 40; i++) {
    const body = JSON.stringify({ username: `nobody ${i}`, password: 'guessed' })
    statuses.add((await product.ask('/api/login', { method: 'POST', body, from: { peer: '198.51.100.1' } })).status)
  }
  expect([...statuses]).toEqual([403, 429])
})

it('parallel checksums are limited for each user, with Retry-After (R9)', async () => {
  await using product = await startProduct()
  await product.seed({ '/big.bin': new Uint8Array(32 * MEBIBYTE), '/small.bin': 'x' })
  const sum = (who: string, name: string) => product.ask(`/api/resources/${name}?checksum=sha512`, { who })
  await Promise.all([sum('ann', 'small.bin'), sum('root', 'small.bin')])
  const [asked, other] = await Promise.all([Promise.all(Array.from({ length: 12 }, () => sum('ann', 'big.bin'))), sum('root', 'small.bin')])
  const late = asked.filter(({ status }) => status === 429)
  expect(late.map(({ headers }) => headers.get('retry-after'))).toEqual(['1', '1', '1', '1'])
  expect(asked.filter(({ status }) => status === 200)).toHaveLength(8)
  expect([other.status, (await sum('ann', 'big.bin')).status]).toEqual([200, 200])
})

it('parallel listings of whole trees are limited for each user, and an aborted one makes room (R9)', async () => {
  onlyInProcess('a body that is made as far as it is read')
  await using product = await startProduct()
  await product.seed({ '/docs/b.txt': '' })
  const tree = (who = 'ann') => product.ask('/api/resources/recursive/docs', { who })
  const [first, ...others] = await Promise.all([tree(), tree(), tree(), tree()])
  const fifth = await tree()
  expect([fifth.status, fifth.headers.get('retry-after')]).toEqual([429, '1'])
  expect((await tree('root')).status).toBe(200)
  await first?.body?.cancel()
  for (const answer of [...others, await tree()]) expect(await answer.json()).toMatchObject([{ path: '/docs/b.txt' }])
})

it('HEAD requests do not count towards the limit of full responses (R9)', async () => {
  await using product = await startProduct()
  await product.seed({ ...SAMPLE_FILES, '/x.tar': Buffer.from(tarOf([{ name: 'a.txt', text: 'a' }])) })
  const { hash } = await product.as('ann').shares.create({ params: { path: at('/folder') }, body: '' })
  const calls = {
    [`/api/public/dl/${hash}/?algo=tar.gz`]: '*/*',
    '/api/raw/folder?algo=tar.gz': '*/*',
    '/api/archive/entry/x.tar?index=0&inside=a.txt': '*/*',
    '/api/search/?query=a': 'application/x-ndjson',
    '/api/resources/recursive/': '*/*',
    '/api/duplicates/': '*/*',
    '/api/live/folder/': EVENTS_MEDIA_TYPE,
  }
  for (const [address, accept] of Object.entries(calls)) {
    const ask = (method: string) =>
      product.ask(address, { method, headers: { accept }, ...(!address.includes('public') && { who: 'ann' }) })
    for (let i = 0; i < 4; i++) expect([address, (await ask('HEAD')).status]).toEqual([address, 200])
    const whole = await ask('GET')
    expect([address, whole.status]).toEqual([address, 200])
    await whole.body?.cancel()
  }
}, 300_000)

it('requests from the local address have no extra permissions (GHSA-xcxh-6cv4-q8p8)', async () => {
  await using product = await startProduct()
  for (const peer of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
    for (const said of ['x-none: 1', 'x-forwarded-for: 127.0.0.1', 'x-real-ip: 127.0.0.1', 'forwarded: for=127.0.0.1'])
      for (const address of ['/api/users', '/api/settings', '/api/resources/', '/api/audit'])
        expect((await product.ask(address, { headers: [said.split(': ') as [string, string]], from: { peer } })).status).toBe(401)
})

describe('on a disk', () => {
  it('a text of a terabyte, or one byte over the limit, is described without reading it (GHSA-7xqm-7738-642x)', async () => {
    await using product = await startProduct({ storage: 'local' })
    for (const [name, size] of [
      ['huge.txt', TERABYTE],
      ['long.txt', MAX_TEXT_BYTES + 1],
    ] as const) {
      writeFileSync(join(product.root, name), 'words '.repeat(1000))
      truncateSync(join(product.root, name), size)
    }
    const before = process.memoryUsage.rss()
    const asked = Array.from({ length: 50 }, (_, i) => product.ask(`/api/resources/${i % 2 === 0 ? 'huge' : 'long'}.txt`, { who: 'ann' }))
    for (const answer of await Promise.all(asked)) {
      const told = (await answer.json()) as Record<string, unknown>
      expect([answer.status, told.content ?? '']).toEqual([200, ''])
    }
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MEBIBYTE)
  })

  it('a write never changes another hard link of the file (A4-8)', async () => {
    await using product = await startProduct({ storage: 'local' })
    await product.add('ben', { scope: '/ben' })
    const operations: [string, string, RequestInit][] = [
      ['PUT', '/api/resources/twin.txt', { body: 'ben’s' }],
      ['POST', '/api/resources/twin.txt?override=true', { body: 'ben’s' }],
      ['PATCH', '/api/resources/own.txt?action=copy&destination=/twin.txt&override=true', {}],
      ['PATCH', '/api/resources/own.txt?action=rename&destination=/twin.txt&override=true', {}],
      ['DELETE', '/api/resources/twin.txt', {}],
    ]
    await product.seed({ '/ann.txt': 'ann’s', '/ben/': '' })
    const twin = join(product.root, 'ben/twin.txt')
    for (const [method, address, init] of operations) {
      await product.seed({ '/ben/own.txt': 'ben’s' })
      if (!(await Bun.file(twin).exists())) linkSync(join(product.root, 'ann.txt'), twin)
      expect([address, (await product.ask(address, { ...init, method, who: 'ben' })).status]).toEqual([address, 200])
      expect([address, await product.read('/ann.txt')]).toEqual([address, 'ann’s'])
      await Bun.file(twin)
        .delete()
        .catch(() => {})
    }
    linkSync(join(product.root, 'ann.txt'), twin)
    const tus = { method: 'POST', who: 'ben', headers: { 'upload-length': '5' } }
    expect((await product.ask('/api/tus/twin.txt?override=true', tus)).status).toBe(201)
    const headers = { 'upload-offset': '0', 'content-type': OFFSET_MEDIA_TYPE }
    expect((await product.ask('/api/tus/twin.txt', { method: 'PATCH', who: 'ben', headers, body: 'ben s' })).status).toBe(204)
    expect([await product.read('/ann.txt'), await product.read('/ben/twin.txt')]).toEqual(['ann’s', 'ben s'])
  })
})

/** All that people would miss: without the counters of what was looked at, and what the trail says of it. */
async function standing({ db, snapshot }: Product): Promise<unknown> {
  const users = await db.selectFrom('users').selectAll().execute()
  const settings = await db.selectFrom('settings').selectAll().execute()
  const shares = await db.selectFrom('shares').select(['hash', 'place', 'expire', 'password_hash']).execute()
  const uploads = await db.selectFrom('uploads').selectAll().execute()
  const webhooks = await db.selectFrom('webhooks').selectAll().execute()
  const jobs = await db.selectFrom('jobs').selectAll().execute()
  return { files: await snapshot(), users, settings, shares, uploads, webhooks, jobs }
}

/** Reads it to its end, where it has one. */
async function leave(answer: Response): Promise<void> {
  if (answer.headers.get('content-type') === EVENTS_MEDIA_TYPE) await answer.body?.cancel()
  else await answer.arrayBuffer()
}
