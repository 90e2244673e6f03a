import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { type Endpoint, endpointsOf } from '../../src/shared/contract/endpoint.ts'
import { api } from '../../src/shared/contract/index.ts'
import { EVENTS_MEDIA_TYPE } from '../../src/shared/contract/live.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { type EndpointName, requestOf, SAMPLE_FILES, type Sample, samples } from './samples.ts'
import { PASSWORD, type Product, startProduct, withToken } from './world.ts'

/** Every call of the contract, by each of these, over TLS: a new call is looked at by being there. */
const WHO = ['visitor', 'ann', 'root'] as const
/** These end what the others need. */
const LAST = new Set<string>(['session.logout', 'session.everywhere', 'session.end', 'users.remove'])

interface Seen {
  readonly says: string
  readonly response: Response
  readonly body: string
}

const seen: Seen[] = []
let product: Product
let secrets: readonly string[] = []

beforeAll(async () => {
  product = await startProduct()
  await product.seed(SAMPLE_FILES)
  await product.world.settings.change((before) => ({
    ...before,
    signup: true,
    recaptcha: { host: '', key: '', secret: 'canary-of-the-captcha' },
  }))
  const link = { params: { path: at('/folder') }, body: '{"password":"canary of a link"}' }
  await product.as('ann').shares.create(link)
  const calls = endpointsOf(api).toSorted((a, b) => Number(LAST.has(a.name)) - Number(LAST.has(b.name)))
  const tokens = { ann: await product.signIn('ann'), root: await product.signIn('root') }
  const web = await product.signInWeb('ann')
  secrets = await allSecrets([...Object.values(tokens), web.token, web.cookie])
  for (const { name, call } of calls)
    for (const sample of samples[name as EndpointName] as readonly Sample<Endpoint>[])
      for (const who of WHO) seen.push(await look({ name, call, sample, who, token: who === 'visitor' ? null : tokens[who] }))
  for (const address of ['/api/none', '/nothing.js', '/files/a.txt'])
    seen.push({ says: address, ...(await answered(await product.ask(address, { from: { secure: true } }))) })
  // More than three hundred calls, some of which start a program.
}, 300_000)
afterAll(async () => {
  await product[Symbol.asyncDispose]()
})

describe('every response (A5-9, R6)', () => {
  it('is checked: allowed, refused and not found', () => {
    const statuses = new Set(seen.map(({ response }) => response.status))
    for (const status of [200, 401, 403, 404]) expect([status, statuses.has(status)]).toEqual([status, true])
    expect(seen.length).toBeGreaterThan(endpointsOf(api).length * WHO.length)
  })

  it('has a policy without scripts and without foreign frames', () => {
    const lax = seen.filter(({ response }) => {
      const policy = response.headers.get('content-security-policy') ?? ''
      const closed =
        policy.includes("default-src 'none'") && /frame-ancestors '(none|self)'/.test(policy) && policy.includes("base-uri 'none'")
      return !closed || /script-src(?! 'none')|unsafe-eval|\*/.test(policy)
    })
    expect(lax.map(({ says }) => says)).toEqual([])
  })

  it('has headers against sniffing, shared caching and referrers, and for HSTS', () => {
    for (const { says, response } of seen) {
      const { headers } = response
      expect([says, headers.get('x-content-type-options')]).toEqual([says, 'nosniff'])
      expect([says, headers.get('cache-control')]).toEqual([says, expect.stringMatching(/no-store|private/)])
      expect([says, headers.get('referrer-policy')]).toEqual([says, expect.stringMatching(/^(same-origin|no-referrer)$/)])
      expect([says, headers.get('strict-transport-security')]).toEqual([says, 'max-age=31536000'])
    }
  })

  it('is never HTML, and not readable by other sites', () => {
    const odd = seen.filter(({ response: { headers } }) => {
      const isPage = /html|xml/.test(headers.get('content-type') ?? '')
      return (
        isPage || [...headers.keys()].some((name) => name.startsWith('access-control-') || name === 'x-powered-by' || name === 'server')
      )
    })
    expect(odd.map(({ says }) => says)).toEqual([])
  })

  it('sets cookies that are HttpOnly, SameSite and Secure', () => {
    const cookies = seen.flatMap(({ response }) => response.headers.getSetCookie())
    for (const cookie of cookies.filter((one) => !/Max-Age=0|Expires=Thu, 01 Jan 1970/.test(one)))
      expect(cookie).toMatch(/^(?=.*; ?HttpOnly)(?=.*; ?SameSite=(Lax|Strict))(?=.*; ?Secure)/i)
  })

  it('has no HSTS header without TLS', async () => {
    const response = await product.ask('/api/none')
    expect(response.headers.get('strict-transport-security')).toBeNull()
  })
})

describe('secrets', () => {
  it('never appear in a response, header, URL or error (A5-9, GHSA-833g-cqhp-h72j)', () => {
    expect(secrets.length).toBeGreaterThan(10)
    const leaks = seen.flatMap(({ says, response, body }) => {
      const text = `${response.url} ${JSON.stringify([...response.headers])} ${body}`
      return secrets.filter((secret) => text.includes(secret)).map((secret) => `${says}: ${secret}`)
    })
    expect(leaks).toEqual([])
  })

  it('never appear in the log (A5-9, R5)', () => {
    const log = product.logged.join('\n')
    expect(log.length).toBeGreaterThan(1000)
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([])
  })
})

interface Question {
  name: string
  call: Endpoint
  sample: Sample<Endpoint>
  who: (typeof WHO)[number]
  token: string | null
}

async function look({ name, call, sample, who, token }: Question): Promise<Seen> {
  const before = who === 'visitor' ? 'root' : who
  const found = LAST.has(name) ? null : await sample.before?.(product.as(before)).catch(() => null)
  const { id } = await product.account(who === 'root' ? 'root' : 'ann')
  const { address, init } = requestOf(call, sample.args(String(id), typeof found === 'string' ? found : undefined))
  const response = await product.ask(address, { ...(token === null ? init : withToken(init, token)), from: { secure: true } })
  return { says: `${name} by ${who}: ${sample.says} → ${response.status}`, ...(await answered(response)) }
}

async function answered(response: Response): Promise<Pick<Seen, 'response' | 'body'>> {
  // A stream of news has no end.
  if (response.headers.get('content-type') === EVENTS_MEDIA_TYPE) {
    await response.body?.cancel()
    return { response, body: '' }
  }
  return { response, body: Buffer.from(await response.arrayBuffer()).toString('latin1') }
}

/** What was typed, what signs people in, and what is kept of it. */
async function allSecrets(given: readonly string[]): Promise<readonly string[]> {
  const { db } = product
  const users = await db.selectFrom('users').select('password_hash').execute()
  const sessions = await db.selectFrom('sessions').selectAll().execute()
  const shares = await db.selectFrom('shares').select('password_hash').execute()
  const kept = [...users, ...shares].map((row) => row.password_hash)
  const hashes = sessions.flatMap((row) => [row.key_hash, row.cookie_hash])
  const parts = given.map((token) => token.split(/[.=]/).at(-1))
  return [PASSWORD, 'canary of a link', 'canary-of-the-captcha', ...kept, ...hashes, ...parts].filter(
    (one): one is string => typeof one === 'string' && one !== '',
  )
}
