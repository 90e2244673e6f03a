import * as z from 'zod/mini'
import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import * as fc from 'fast-check'
import { endpointsOf } from '../../src/shared/contract/endpoint.ts'
import { api } from '../../src/shared/contract/index.ts'
import { EVENTS_MEDIA_TYPE } from '../../src/shared/contract/live.ts'
import { MAX_JSON_BODY_BYTES } from '../../src/shared/limits.ts'
import { isWeb } from './over-http.ts'
import { type EndpointName, type LooseArgs, requestOf, SAMPLE_FILES, samples } from './samples.ts'
import { BROKEN_NAMES, CLIMBS } from './spellings.ts'
import { exchange, type Reply, speak } from './wire.ts'
import { deny, onEachStorage, type Product, startProduct } from './world.ts'

const MEBIBYTE = 1024 * 1024

describe('no spelling of a path leaves the scope (I1, I3, A5-2)', () => {
  let product: Product
  let token: string
  beforeAll(async () => {
    product = await startProduct({ storage: 'local' })
    await product.seed({ '/outside.txt': 'OUTSIDE', '/home/ben/open/a.txt': 'open', '/home/ben/secret/x.txt': 'SECRET' })
    await product.add('ben', { scope: '/home/ben', rules: [deny('/secret')] })
    token = await product.signIn('ben')
  })
  afterAll(async () => {
    await product[Symbol.asyncDispose]()
  })

  const ask = (method: string, address: string, body = '') =>
    speak(product.port, `${method} ${address}`, { headers: { 'x-auth': token, 'upload-length': '4' }, body })
  /** The two ways to want out, by each of the spellings. */
  const targets = CLIMBS.flatMap((climb) => [`/${climb}${climb}outside.txt`, `/open/${climb}secret/x.txt`])

  it('includes more than 400 spellings', () => {
    expect(new Set(CLIMBS).size).toBeGreaterThan(400)
  })

  for (const mount of ['raw', 'resources', 'resources/recursive', 'subtitle', 'usage'])
    it(`reading ${mount} (GHSA-4mh3-h929-w968, GHSA-273v-9h7x-p68v)`, async () => {
      for (const target of targets) refused(product, target, await ask('GET', `/api/${mount}${target}`))
    })

  it('copying and moving from it', async () => {
    const before = await guarded(product)
    for (const target of targets)
      for (const action of ['copy', 'rename'])
        refused(product, target, await ask('PATCH', `/api/resources${target}?action=${action}&destination=/open/taken.txt`))
    expect(await guarded(product)).toEqual(before)
  })

  it('writing and removing (CVE-2026-35392, CVE-2026-35393, CVE-2026-62664)', async () => {
    const before = await guarded(product)
    for (const target of targets) {
      for (const method of ['PUT', 'DELETE']) harmless(product, target, await ask(method, `/api/resources${target}`, 'new'))
      harmless(product, target, await ask('POST', `/api/resources${target}?override=true`, 'new'))
      harmless(product, target, await ask('POST', `/api/tus${target}?override=true`))
    }
    expect(await guarded(product)).toEqual(before)
  }, 300_000)

  it('as a destination, raw and encoded (GHSA-9f3r-2vgw-m8xp)', async () => {
    const before = await guarded(product)
    const spelled = targets.flatMap((target) => [target, encodeURIComponent(target), encodeURIComponent(encodeURIComponent(target))])
    for (const [index, destination] of spelled.entries()) {
      const action = index % 2 === 0 ? 'copy' : 'rename'
      const address = `/api/resources/open/a.txt?action=${action}&override=true&destination=${destination.replaceAll('\\', '%5C')}`
      const reply = await ask('PATCH', address)
      harmless(product, destination, reply)
      if (action === 'rename' && reply.status === 200) await product.seed({ '/home/ben/open/a.txt': 'open' })
    }
    expect(await guarded(product)).toEqual(before)
  }, 300_000)

  it('none of these caused an unexpected error', () => {
    expect(incidents(product)).toEqual([])
  })

  it('a malformed request is refused, and the next one is served (GHSA-6jqf-mv7m-3q7p)', async () => {
    const heads = [
      'GET /api/resources/ HTTP/1.1\r\n\r\n',
      'GET  /api/resources/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'get /api/resources/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'PROPFIND /api/resources/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'TRACE /api/resources/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      `GET /api/raw/${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      `GET /api/raw/a HTTP/1.1\r\nHost: x\r\nX-Auth: ${'a'.repeat(100_000)}\r\nConnection: close\r\n\r\n`,
      'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\nConnection: close\r\n\r\n',
      'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n',
      'POST /api/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n',
      'GET http://other.test/api/raw/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET /api/raw/a\0b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ]
    for (const head of heads) {
      const text = await exchange(product.port, Buffer.from(head, 'latin1'))
      expect([head.slice(0, 60), text === '' || /^HTTP\/1\.1 (4\d\d|501|505) /.test(text)]).toEqual([head.slice(0, 60), true])
      expect((await ask('GET', '/api/resources/')).status).toBe(200)
    }
  })
})

onEachStorage((product) => {
  const ask = (method: string, address: string, init: RequestInit & { who?: string } = {}) =>
    product().ask(address, { method, who: 'ann', ...init })
  const calls = endpointsOf(api).map(({ name, call }) => ({ name, call, args: samples[name as EndpointName][0].args('2') as LooseArgs }))
  // Sent by a user with permission, so that the body is refused.
  const withJson = calls
    .filter(({ call }) => call.body !== undefined && call.body !== 'bytes')
    .map((one) => ({ ...one, who: one.call.by === 'admin' ? 'root' : 'ann' }))

  describe('an invalid body', () => {
    it('returns 400, whatever is wrong with it (A4-9)', async () => {
      const bodies = [
        '',
        ' ',
        '{',
        '{"a":',
        'nul',
        '\0',
        '\ufeff{}',
        "{'a':1}",
        '[]',
        '1',
        '"x"',
        'true',
        '{"__proto__":{"admin":true}}',
        '[1e999]',
      ]
      for (const { name, call, args, who } of withJson)
        for (const body of bodies) {
          const response = await ask(call.method, requestOf(call, args).address, { who, body })
          expect([name, body, response.status]).toEqual([name, body, 400])
          await harmlessResponse(product(), response)
        }
    })

    it('returns 400 if only the types are wrong', async () => {
      for (const { name, call, args, who } of withJson)
        for (const wrong of [null, 1, true, [], ['x'], { x: 1 }]) {
          const body = Object.fromEntries(Object.keys(Object(args.body)).map((key) => [key, wrong]))
          // A list of texts may be just that.
          if (typeof call.body === 'object' && z.core.safeParse(call.body, body).success) continue
          const response = await ask(call.method, requestOf(call, args).address, { who, body: JSON.stringify(body) })
          expect([name, wrong, response.status]).toEqual([name, wrong, 400])
        }
    })

    it('returns 400 if it is nested too deeply', async () => {
      for (const { name, call, args, who } of withJson)
        for (const body of nestings(call.maxBodyBytes ?? MAX_JSON_BODY_BYTES)) {
          const response = await ask(call.method, requestOf(call, args).address, { who, body })
          expect([name, body.slice(0, 8), response.status]).toEqual([name, body.slice(0, 8), 400])
        }
    }, 300_000)

    it('returns 413 for two mebibytes of JSON, with or without Content-Length (GHSA-w5fm-68j4-fpc4)', async () => {
      for (const { name, call, args, who } of withJson) {
        const length = 2 * Math.max(MEBIBYTE, call.maxBodyBytes ?? 0)
        const text = JSON.stringify({ username: 'x'.repeat(length), password: 'x', what: 'user', data: {} })
        const { address } = requestOf(call, args)
        const announced = await ask(call.method, address, { who, body: text })
        const stream = new Blob([text]).stream()
        const streamed = await ask(call.method, address, { who, body: stream })
        expect([name, announced.status, streamed.status]).toEqual([name, 413, 413])
      }
    })
  })

  it('an invalid or undecodable name is refused by every call and never created', async () => {
    await product().seed(SAMPLE_FILES)
    const before = await product().snapshot()
    for (const { call, args } of calls.filter(({ call: { path } }) => path.endsWith('/*path')))
      for (const name of BROKEN_NAMES) {
        const { init } = requestOf(call, args)
        const response = await ask(call.method, `${call.path.replace('*path', '')}${name}${addressTail(call, args)}`, init)
        if (call.by !== 'anyone')
          expect([call.path, call.method, name, refusal(response)]).toEqual([call.path, call.method, name, 'refused'])
        await harmlessResponse(product(), response)
      }
    expect(await product().snapshot()).toEqual(before)
  })

  it('a name may have up to 255 bytes in any script', async () => {
    for (const [long, tooLong] of [
      ['a'.repeat(255), 'a'.repeat(256)],
      ['é'.repeat(127), 'é'.repeat(128)],
    ] as const) {
      expect((await ask('POST', `/api/resources/${encodeURIComponent(long)}`, { body: 'x' })).status).toBe(200)
      for (const method of ['POST', 'PUT', 'DELETE', 'GET']) {
        const init = method === 'GET' || method === 'DELETE' ? {} : { body: 'x' }
        const response = await ask(method, `/api/resources/${encodeURIComponent(tooLong)}`, init)
        expect([method, refusal(response)]).toEqual([method, 'refused'])
      }
      const to = encodeURIComponent(`/${tooLong}`)
      expect(refusal(await ask('PATCH', `/api/resources/${encodeURIComponent(long)}?action=rename&destination=${to}`))).toBe('refused')
    }
    const deep = '/x'.repeat(3000)
    expect(refusal(await ask('GET', `/api/resources${deep}`))).toBe('refused')
    expect(await product().storage.staged()).toEqual([])
    expect(incidents(product())).toEqual([])
  })

  it('an invalid query is refused or ignored, and never causes an unexpected error', async () => {
    const queries = [
      'checksum=md5&checksum=sha1',
      'checksum',
      'checksum=',
      'checksum=MD5',
      'checksum=__proto__',
      'checksum=constructor',
      '%',
      '%zz=%',
      'action=copy&action=rename&destination=/x',
      'destination=%00',
      'destination=',
      'action=copy&destination=%25%30%30',
      'action=copy&destination=%2500',
      'override=%ff',
      'files=a',
      'files=a&files=b',
      'algo=zip',
      'algo=../../etc/passwd',
      '__proto__=x',
      'a[b]=c',
      '=',
      '&&&',
      '?',
      'inline=true&inline=true',
    ]
    await product().seed(SAMPLE_FILES)
    for (const { name, call, args } of calls) {
      if (call.path === '/api/sessions' || call.path === '/api/logout') continue
      const { address, init } = requestOf(call, { ...args, query: undefined })
      for (const query of someOf(queries, name)) await harmlessResponse(product(), await ask(call.method, `${address}?${query}`, init))
    }
    expect(incidents(product())).toEqual([])
  }, 300_000)

  it('invalid headers are refused or ignored, and never cause an unexpected error', async () => {
    const values = [
      '',
      ' ',
      '-1',
      '1e3',
      '0x10',
      'NaN',
      '99999999999999999999',
      '1,2',
      '"',
      '*',
      'é',
      'a'.repeat(4000),
      'bytes=0-',
      'W/""',
      ';;;',
      '../..',
      'true,false',
    ]
    const headers = [
      'upload-length',
      'upload-offset',
      'upload-metadata',
      'tus-resumable',
      'content-type',
      'x-encoding',
      'x-satchel-web',
      'if-match',
      'if-none-match',
      'if-range',
      'if-modified-since',
      'range',
      'accept',
      'accept-encoding',
      'cookie',
      'origin',
      'sec-fetch-site',
      'x-forwarded-for',
      'x-forwarded-proto',
      'forwarded',
    ]
    await product().seed(SAMPLE_FILES)
    for (const { name, call, args } of calls) {
      if (call.path === '/api/sessions' || call.path === '/api/logout' || call.path === '/api/login') continue
      const { address, init } = requestOf(call, args)
      for (const header of headers)
        for (const value of someOf(values, name)) {
          const sent = new Headers(init.headers)
          sent.set(header, value === 'é' ? 'Ã©' : value)
          await harmlessResponse(product(), await ask(call.method, address, { ...init, headers: sent }))
        }
    }
    expect(incidents(product())).toEqual([])
  }, 300_000)

  it('no address causes an unexpected error (R11)', async () => {
    await product().seed(SAMPLE_FILES)
    const piece = fc.oneof(
      fc.constantFrom('/', '%', '%2f', '..', '.', '\\', '?', '#', '&', '=', '%00', '%ff', 'a.txt', 'folder', 'é', ';', '//', ' ', '\u202e'),
      fc.string({ maxLength: 4 }),
    )
    const address = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...calls.filter(({ call }) => call.method === 'GET')), address, async ({ call }, tail) => {
        await harmlessResponse(product(), await ask('GET', `${call.path.replace(/\*path|:id/, '')}${tail}`))
      }),
      { numRuns: 300 },
    )
    expect(incidents(product())).toEqual([])
  })
})

/** As deep as fits. */
function nestings(bytes: number): string[] {
  const half = Math.floor(bytes / 2)
  const [before, after] = ['{"what":"user","which":["locale"],"data":{"locale":', '}}']
  const depth = Math.floor((bytes - before.length - after.length) / 2)
  return [
    '['.repeat(bytes),
    '['.repeat(half) + ']'.repeat(half),
    '{"a":'.repeat(Math.floor(bytes / 5)),
    before + '['.repeat(depth) + ']'.repeat(depth) + after,
  ]
}

/** Refused, or the canonical path's own answer; in any case nothing that is not theirs. */
function refused(product: Product, target: string, reply: Reply): void {
  harmless(product, target, reply)
  // `/api/raw/../../x` is, for the runtime, an address outside of the API; nothing but the web is there.
  expect({ target, status: reply.status, refused: reply.status >= 400 || isWeb(reply) }).toEqual({
    target,
    status: reply.status,
    refused: true,
  })
}

function harmless(product: Product, target: string, { status, text }: Reply): void {
  expect({ target, status, fits: status >= 200 && status < 500 }).toEqual({ target, status, fits: true })
  for (const leak of leaks(product)) expect(text).not.toContain(leak)
}

/** Each of these starts a program in the sandbox, which takes its time. */
function someOf<T>(all: readonly T[], name: string): readonly T[] {
  return name.startsWith('unpack.') ? all.slice(0, 1) : all
}

async function harmlessResponse(product: Product, response: Response): Promise<void> {
  // A stream of news has no end.
  const isEndless = response.headers.get('content-type') === EVENTS_MEDIA_TYPE
  const text = JSON.stringify([...response.headers]) + (isEndless ? await response.body?.cancel() : await response.text())
  expect({ status: response.status, url: response.url, fits: response.status < 500 }).toEqual({
    status: response.status,
    url: response.url,
    fits: true,
  })
  for (const leak of leaks(product)) expect(text).not.toContain(leak)
}

/** What must not be in any answer: files of others, places on the server, stacks. */
function leaks({ secretName }: Product): string[] {
  return ['OUTSIDE', 'SECRET', '/work/', '/tmp/', '.ts:', 'node_modules', '/proc/', 'SQLITE', ...(secretName === '' ? [] : [secretName])]
}

function incidents({ logged }: Product): string[] {
  return logged.filter((line) => line.includes('incident'))
}

/** What of the tree nobody here may change. */
async function guarded(product: Product): Promise<Record<string, string>> {
  const all = Object.entries(await product.snapshot())
  return Object.fromEntries(all.filter(([path]) => !path.startsWith('/home/ben/') || path.startsWith('/home/ben/secret')))
}

function refusal({ status }: Response): 'refused' | number {
  return status >= 400 && status < 500 ? 'refused' : status
}

function addressTail(call: { path: string }, args: LooseArgs): string {
  return call.path.includes('resources') && args.query !== undefined
    ? `?${new URLSearchParams(args.query as Record<string, string>).toString()}`
    : ''
}
