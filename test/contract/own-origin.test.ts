import { describe, expect, it } from 'bun:test'
import { sql } from 'kysely'
import { type Endpoint, endpointsOf } from '../../src/shared/contract/endpoint.ts'
import { api } from '../../src/shared/contract/index.ts'
import { parseFilePath as requestPath } from '../../src/shared/file-path.ts'
import { createOwnOrigin, type OwnOrigin } from '../../src/server/http/own-origin.ts'
import { type EndpointName, type LooseArgs, requestOf, SAMPLE_FILES, samples } from './samples.ts'
import { PASSWORD, type Product, startProduct } from './world.ts'

const HOST = 'files.example.test:8080'
const SITES = [null, 'same-origin', 'same-site', 'cross-site', 'none', 'other'] as const
/** By kind: the page itself, other ports, siblings, parents, and invalid origins. */
const ORIGINS = {
  nothing: null,
  ours: 'http://files.example.test:8080',
  'another port': 'http://files.example.test:3000',
  'no port': 'http://files.example.test',
  'a sibling': 'http://wiki.example.test:8080',
  'the parent': 'http://example.test:8080',
  'a page without origin': 'null',
  'no address': 'files.example.test:8080',
} as const

const SOCKETS: ReadonlySet<string> = new Set(['command.socket', 'terminal.socket'])
/** With the mechanism switched off. */
const BLIND: OwnOrigin = { senderOf: () => 'own', isOwnHost: () => true }

/** What the promise says, written again: only exactly our origin is ours. */
function isForeign(site: string | null, origin: string | null): boolean {
  if (site === 'same-origin') return false
  if (site !== null && site !== 'none') return true
  return origin !== null && origin !== ORIGINS.ours
}

interface Attempt {
  readonly name: string
  readonly call: Endpoint
  readonly site: string | null
  readonly origin: string | null
}

function attempts(): Attempt[] {
  return endpointsOf(api).flatMap(({ name, call }) =>
    SITES.flatMap((site) => Object.values(ORIGINS).map((origin) => ({ name, call, site, origin }))),
  )
}

/** With the cookie of an administrator alone, as a browser sends it along. @returns status, and whether it was refused because of its origin */
async function send(product: Product, cookie: string, { name, call, site, origin }: Attempt) {
  const { address, init } = requestOf(call, samples[name as EndpointName][0].args('1') as LooseArgs)
  const headers = new Headers(init.headers)
  headers.set('cookie', cookie)
  headers.set('host', HOST)
  if (site !== null) headers.set('sec-fetch-site', site)
  if (origin !== null) headers.set('origin', origin)
  if (SOCKETS.has(name)) headers.set('upgrade', 'websocket')
  const response = await product.ask(address, { ...init, headers })
  const isStream = name === 'live.folder' && response.status === 200
  const text = isStream ? '' : await response.text()
  if (isStream) await response.body?.cancel()
  return { status: response.status, refused: response.status === 403 && (call.method === 'HEAD' || text.includes('"origin"')) }
}

describe('A2: a page of another origin', () => {
  it('A2: cannot use the visitor’s cookie for any call, socket or stream: every call × Sec-Fetch-Site × Origin', async () => {
    await using product = await startProduct()
    await product.seed(SAMPLE_FILES)
    const { cookie } = await product.signInWeb('root')
    const before = await product.snapshot()
    const wrong: unknown[] = []
    for (const attempt of attempts()) {
      const { name, call, site, origin } = attempt
      const reads = ['GET', 'HEAD', 'OPTIONS'].includes(call.method)
      const foreign = isForeign(site, origin)
      // What our own page changes, it changes with a token; here there is none. What it reads is looked at once.
      if (!foreign && (!reads || origin === ORIGINS.ours)) continue
      const { status, refused } = await send(product, cookie, attempt)
      const isPublic = call.by === 'anyone'
      const isUnstatedSocket = SOCKETS.has(name) && site !== 'same-origin' && origin === null
      const expected = (foreign && !(isPublic && reads)) || isUnstatedSocket
      if (refused !== expected) wrong.push({ name, site, origin, status, refused, expected })
    }
    expect(wrong).toEqual([])
    expect(await product.snapshot()).toEqual(before)
  }, 300_000)

  it('A2: can read everything and open sockets if the check is disabled', async () => {
    await using product = await startProduct({ origins: BLIND })
    await product.seed(SAMPLE_FILES)
    const { cookie } = await product.signInWeb('root')
    const fromSibling = attempts().filter(({ site, origin }) => site === 'same-site' && origin === ORIGINS['another port'])
    const readings = fromSibling.filter(({ call, name }) => call.method === 'GET' && call.by !== 'anyone' && !name.startsWith('previews'))
    expect(readings.length).toBeGreaterThan(15)
    for (const attempt of readings) expect([attempt.name, (await send(product, cookie, attempt)).refused]).toEqual([attempt.name, false])
  }, 300_000)

  it('A2: cannot run a command through a socket, but can if the check is disabled', async () => {
    const run = async (origins?: OwnOrigin): Promise<string> => {
      await using product = await startProduct({ storage: 'local', origins })
      await product.seed({ '/secret.txt': 'the secret of ann' })
      await product.db
        .updateTable('users')
        .set({ commands: JSON.stringify(['cat']), version: sql`version + 1` })
        .execute()
      const { cookie } = await product.signInWeb('ann')
      const url = `ws://127.0.0.1:${product.port}/api/command/`
      const socket = new WebSocket(url, { headers: { cookie, origin: 'http://127.0.0.1:9', 'sec-fetch-site': 'same-site' } })
      return await new Promise((resolve) => {
        const frames: string[] = []
        socket.onopen = () => socket.send('cat secret.txt')
        socket.onmessage = ({ data }) => void frames.push(String(data))
        socket.onclose = () => resolve(frames.join())
      })
    }
    expect(await run()).toBe('')
    expect(await run(BLIND)).toBe('the secret of ann')
  }, 300_000)

  it('A2: cannot open a link with the ticket in a cookie', async () => {
    await using product = await startProduct()
    await product.seed({ '/docs/a.txt': 'a' })
    const { hash } = await product.as('ann').shares.create({
      params: { path: requestPath('/docs') },
      body: JSON.stringify({ password: 'the link password' }),
    })
    const opened = await product.ask(`/api/public/share/${hash}`, { headers: { 'x-share-password': 'the link password' } })
    const cookie = opened.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    const status = async (headers: Record<string, string>) =>
      (await product.ask(`/api/public/dl/${hash}/a.txt`, { headers: { cookie, ...headers } })).status
    expect(await status({ 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(await status({ 'sec-fetch-site': 'same-site' })).toBe(401)
    expect(await status({ origin: 'http://evil.test' })).toBe(401)
  })

  it('A2: navigates to our own page when the user follows its link to a file', async () => {
    await using product = await startProduct({ baseUrl: '/base' })
    await product.seed({ '/docs/a b.txt': 'a' })
    const { cookie } = await product.signInWeb('ann')
    const headers = { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    const answer = await product.ask('/base/api/raw/docs/a%20b.txt?inline=true', { headers })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/base/files/docs/a%20b.txt'])
  })

  it('A2: is served if it sends its own token, as clients in frames of other browsers do', async () => {
    await using product = await startProduct()
    const token = await product.signIn('ann')
    const headers = { 'x-auth': token, origin: 'capacitor://localhost', 'sec-fetch-site': 'cross-site' }
    expect((await product.ask('/api/resources/', { headers })).status).toBe(200)
  })
})

describe('S9: the public address behind a proxy that does not pass on Host', () => {
  const login = (product: Product, headers: Record<string, string>) =>
    product.ask('/api/login', { method: 'POST', body: JSON.stringify({ username: 'ann', password: PASSWORD }), headers })

  it('S9: is reported in the log and the response, and can be configured', async () => {
    await using product = await startProduct()
    const headers = { origin: 'https://files.example.test', host: '127.0.0.1:8080' }
    const refused = await login(product, headers)
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('--publicAddress')])
    expect(product.logged.join('\n')).toContain('--publicAddress https://files.example.test')
    await using named = await startProduct({ origins: createOwnOrigin({ publicOrigins: ['https://files.example.test'] }) })
    expect((await login(named, headers)).status).toBe(200)
    expect((await login(named, { ...headers, origin: 'https://evil.test' })).status).toBe(403)
    // Another scheme on the same host is another origin.
    expect((await login(named, { ...headers, origin: 'http://files.example.test' })).status).toBe(403)
  })
})

it('S10: inline content of links may be framed only by configured sites, and everything else by none', async () => {
  await using product = await startProduct({ framingSites: ['https://wiki.test'] })
  await product.seed({ '/a.pdf': '%PDF-1.7' })
  const { hash } = await product.as('ann').shares.create({ params: { path: requestPath('/a.pdf') }, body: '' })
  const framedBy = async (address: string, who?: string) =>
    /frame-ancestors ([^;]+)/.exec((await product.ask(address, { who })).headers.get('content-security-policy') ?? '')?.[1]
  expect(await framedBy(`/api/public/dl/${hash}?inline=true`)).toBe("'self' https://wiki.test")
  expect(await framedBy('/api/raw/a.pdf?inline=true', 'ann')).toBe("'self'")
  expect(await framedBy('/api/resources/', 'ann')).toBe("'none'")
})
