import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { SIGNATURE_HEADER, WEBHOOK_EVENTS, WebhookBody } from '../../src/shared/contract/webhooks.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { HOUR_MS, PASSWORD, type Product, startProduct } from './world.ts'
import { until } from './until.ts'

setDefaultTimeout(20_000)

interface Heard {
  readonly path: string
  readonly headers: Headers
  readonly text: string
  readonly body: WebhookBody
}

let product: Product
let heard: Heard[]
let answer: (request: Request) => Response | Promise<Response>
let receiver: Bun.Server<undefined>
beforeEach(async () => {
  product = await startProduct({ storage: 'local', webhookNetworks: ['127.0.0.0/8'] })
  await product.seed({ '/a.txt': 'a', '/home/b.txt': 'b' })
  heard = []
  answer = () => new Response('ok')
  receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const text = await request.text()
      heard.push({ path: new URL(request.url).pathname, headers: request.headers, text, body: WebhookBody.parse(JSON.parse(text)) })
      return answer(request)
    },
  })
})
afterEach(async () => {
  await receiver.stop(true)
  await product[Symbol.asyncDispose]()
})

describe('a webhook', () => {
  it('receives every selected event, signed, with paths relative to its user’s scope', async () => {
    const { secret } = await make({ events: WEBHOOK_EVENTS.filter((event) => event !== 'history') })
    await product.add('ben', { scope: '/home' })
    const ben = product.as('ben')
    await ben.resources.upload({ params: { path: at('/new.txt') }, body: 'x' })
    await ben.resources.save({ params: { path: at('/b.txt') }, body: 'saved' })
    await ben.resources.transfer({ params: { path: at('/b.txt') }, query: { action: 'copy', destination: '/c d.txt' } })
    await ben.resources.transfer({ params: { path: at('/b.txt') }, query: { action: 'rename', destination: '/e.txt' } })
    await ben.resources.remove({ params: { path: at('/e.txt') } })
    await until(() => heard.length === 5)
    const { id } = await product.account('ben')
    const told = heard.map(({ body: { event, user, path, destination } }) => [event, user, path, destination]).toSorted(byEvent)
    const user = { id, name: 'ben' }
    expect(told).toEqual(
      [
        ['after_upload', user, '/new.txt', null],
        ['after_save', user, '/b.txt', null],
        ['after_copy', user, '/b.txt', '/c d.txt'],
        ['after_rename', user, '/b.txt', '/e.txt'],
        ['after_delete', user, '/e.txt', null],
      ].toSorted(byEvent),
    )
    for (const { headers, text, body } of heard) {
      const [, time = '', signature = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers.get(SIGNATURE_HEADER) ?? '') ?? []
      expect(signature).toBe(createHmac('sha256', secret).update(`${time}.${text}`).digest('hex'))
      expect(Math.abs(Number(time) * 1000 - Date.now())).toBeLessThan(60_000)
      expect([headers.get('x-satchel-event'), headers.get('x-satchel-delivery')]).toEqual([body.event, body.id])
      expect(new Date(body.time).toISOString()).toBe(body.time)
    }
  })

  it('does not receive other events, refused operations, or anything while it is disabled', async () => {
    const { hook } = await make({ events: ['after_delete'] })
    await product.as('ann').resources.upload({ params: { path: at('/new.txt') }, body: 'x' })
    expect((await product.ask('/api/resources/none', { method: 'DELETE', who: 'ann' })).status).toBe(404)
    await product.as('root').webhooks.update({ params: { id: hook.id }, body: { ...wish({ events: ['after_delete'] }), enabled: false } })
    await product.as('ann').resources.remove({ params: { path: at('/new.txt') } })
    expect((await product.as('root').webhooks.list({})).deliveries).toEqual([])
    expect(heard).toEqual([])
  })

  it('delays no operation, is retried at growing intervals with the same id, and fails after eight attempts', async () => {
    answer = () => new Response('no', { status: 503 })
    await make({ events: ['after_save'] })
    await product.as('ann').resources.save({ params: { path: at('/a.txt') }, body: 'saved' })
    // The time that passes ends every session.
    const latest = async () => (await product.world.outbox.latest('webhook', 1))[0]
    for (let attempt = 1; attempt <= 8; attempt++) {
      await until(async () => (await latest())?.attempts === attempt && (await latest())?.state !== 'running')
      product.pass(30_000 * 2 ** (attempt - 1) + 1000)
      product.world.webhooks.webhookWorker.wake()
    }
    expect(await latest()).toMatchObject({ state: 'failed', attempts: 8, report: 'status 503' })
    expect(new Set(heard.map(({ body: { id } }) => id)).size).toBe(1)
    expect(heard.length).toBe(8)
  })

  it('is delivered after a crash of the server', async () => {
    await make({ events: ['after_save'] })
    await product.world.webhooks.webhookWorker.stop()
    await product.as('ann').resources.save({ params: { path: at('/a.txt') }, body: 'saved' })
    expect(heard).toEqual([])
    product.restart()
    product.world.webhooks.webhookWorker.wake()
    await until(() => heard.length === 1)
  })

  it('follows no redirects, reads no long responses, and times out', async () => {
    const { hook } = await make({ events: ['after_save'] })
    const test = () => product.as('root').webhooks.test({ params: { id: hook.id } })
    expect(await test()).toEqual({ well: true, report: 'status 200' })
    expect(heard[0]?.body).toMatchObject({ event: 'test', path: '/', user: { name: 'root' } })
    answer = () => new Response(null, { status: 302, headers: { location: `http://127.0.0.1:${product.port}/api/settings` } })
    expect(await test()).toEqual({ well: false, report: 'status 302; redirects are not followed' })
    answer = () => new Response('x'.repeat(64 * 1024 * 1024))
    expect(await test()).toEqual({ well: true, report: 'status 200' })
    const says = async (words: string) => {
      const other = await saying(words)
      const { port } = other.address() as { port: number }
      const made = await make({ url: `http://127.0.0.1:${port}/` })
      const result = await product.as('root').webhooks.test({ params: { id: made.hook.id } })
      other.close()
      return result.report
    }
    expect(await says('SSH-2.0-OpenSSH\r\n')).toBe('the answer is not HTTP')
    expect(await says('x'.repeat(100_000))).toBe('the answer is not HTTP')
    expect(await says('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n')).toBe('status 204')
  })
})

describe('server-side requests', () => {
  it('never reach internal addresses, in any spelling (SSRF) (A4-2)', async () => {
    await using strict = await startProduct({ storage: 'local' })
    const inside = [
      'http://127.0.0.1/',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://169.254.169.254/latest/meta-data/',
      'https://0x7f000001/',
    ]
    for (const url of [...inside, 'file:///etc/passwd', 'https://user:pass@example.org/', 'gopher://example.org/', 'x'.repeat(3000)]) {
      const refused = await strict.ask('/api/webhooks', {
        method: 'POST',
        who: 'root',
        body: JSON.stringify({ ...wish(), url, current_password: PASSWORD }),
      })
      expect([url, refused.status]).toEqual([url, 400])
    }
    // A name is looked up when it is used.
    const { hook } = await strict
      .as('root')
      .webhooks.create({ body: { ...wish(), url: `https://localhost:${receiver.port}/`, current_password: PASSWORD } })
    expect((await strict.as('root').webhooks.test({ params: { id: hook.id } })).report).toContain('is not a public address')
    expect(heard).toEqual([])
  })

  it('cannot be given extra headers by a file name', async () => {
    await make({ events: ['after_upload'] })
    const name = '/evil\r\nX-Injected: yes\r\n\r\nPOST / HTTP\u202e.txt'
    await product.as('ann').resources.upload({ params: { path: at(name) }, body: 'x' })
    await until(() => heard.length === 1)
    expect([heard[0]?.body.path, heard[0]?.headers.get('x-injected')]).toEqual([name, null])
  })
})

describe('an administrator', () => {
  it('is recorded for creating, changing and removing a webhook, without its URL and secret', async () => {
    const { hook, secret } = await make({ events: ['after_upload'] })
    const root = product.as('root')
    const renewed = { ...wish({ events: ['after_delete'] }), renew: true, current_password: PASSWORD }
    await root.webhooks.update({ params: { id: hook.id }, body: renewed })
    await root.webhooks.remove({ params: { id: hook.id } })
    const trail = async () => (await root.audit.list({ query: { kind: 'webhooks-changed' } })).entries
    await until(async () => (await trail()).length === 3)
    const entries = await trail()
    const host = new URL(hook.url).host
    expect(entries.map(({ who, subject, details }) => [who, subject, details.map(({ before, after }) => [before, after])])).toEqual([
      ['root', host, [[`after_delete to ${host}`, null]]],
      [
        'root',
        host,
        [
          [`after_upload to ${host}`, `after_delete to ${host}`],
          [null, null],
        ],
      ],
      ['root', host, [[null, `after_upload to ${host}`]]],
    ])
    expect(JSON.stringify(entries)).not.toContain(secret)
    expect(JSON.stringify(entries)).not.toContain(new URL(hook.url).pathname)
  })

  it('sees a secret once, can renew it, and has to reauthenticate for sensitive changes', async () => {
    const { hook, secret } = await make()
    const list = async () => (await product.ask('/api/webhooks', { who: 'root' })).text()
    expect(await list()).not.toContain(secret)
    const renewed = await product
      .as('root')
      .webhooks.update({ params: { id: hook.id }, body: { ...wish(), renew: true, current_password: PASSWORD } })
    expect(renewed.secret).not.toBe(secret)
    expect(await list()).not.toContain(renewed.secret ?? 'none')
    product.pass(HOUR_MS / 2)
    const put = (body: object) => product.ask(`/api/webhooks/${hook.id}`, { method: 'PUT', who: 'root', body: JSON.stringify(body) })
    expect((await put(wish())).status).toBe(200)
    expect((await put({ ...wish(), url: 'https://elsewhere.example/' })).status).toBe(403)
    expect((await put({ ...wish(), renew: true })).status).toBe(403)
    expect((await put({ ...wish(), url: 'https://elsewhere.example/', current_password: PASSWORD })).status).toBe(200)
    expect((await product.ask('/api/webhooks', { method: 'POST', who: 'root', body: JSON.stringify(wish()) })).status).toBe(403)
    await product.as('root').webhooks.remove({ params: { id: hook.id } })
    expect((await product.as('root').webhooks.list({})).hooks).toEqual([])
  })
})

it('passes on what the journal knows, a gesture at a time and each change once, to those who ask for it', async () => {
  const root = product.as('root')
  await root.resources.upload({ params: { path: at('/before.txt') }, body: 'x' })
  await make({ events: ['history'] })
  const { history } = product.world.webhooks
  await history.pass()
  await product.add('ben', { scope: '/home' })
  const ben = product.as('ben')
  await ben.resources.upload({ params: { path: at('/new.txt') }, body: 'x' })
  await ben.resources.transfer({ params: { path: at('/b.txt') }, query: { action: 'rename', destination: '/e.txt' } })
  await ben.resources.remove({ params: { path: at('/e.txt') } })
  product.pass(5000)
  for (let n = 0; n < 3; n++) await history.pass()
  await until(() => heard.length >= 3)
  const { id } = await product.account('ben')
  const told = heard.map(({ body: { event, user, via, gesture, changes } }) => ({
    event,
    user,
    via,
    isGesture: gesture !== undefined,
    changes,
  }))
  const known = { event: 'history' as const, user: { id, name: 'ben' }, via: 'api', isGesture: true }
  const change = { id: expect.any(String), isDir: false, reverts: null }
  expect(told.toSorted((a, b) => String(a.changes?.[0]?.id).localeCompare(String(b.changes?.[0]?.id)))).toEqual([
    { ...known, changes: [{ ...change, kind: 'create', path: '/home/new.txt', origin: null, size: 1 }] },
    { ...known, changes: [{ ...change, kind: 'move', path: '/home/e.txt', origin: '/home/b.txt', size: 1 }] },
    { ...known, changes: [{ ...change, kind: 'delete', path: '/home/e.txt', origin: null, size: 1 }] },
  ])
})

it('passes on an operation that took long when it ends, although later ones have been passed on', async () => {
  await make({ events: ['history'] })
  const { history } = product.world.webhooks
  await history.pass()
  const { db } = product
  const upload = (path: string) => product.as('root').resources.upload({ params: { path: at(path) }, body: 'x' })
  await upload('/long.txt')
  await product.world.journal.settled()
  const long = await db.selectFrom('operations').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  // As it was while it went on.
  const { id, group_id, user_id } = long
  await db.deleteFrom('operations').where('id', '=', id).execute()
  await db.insertInto('operations_open').values({ id, group_id, user_id, entry: '{}' }).execute()
  await upload('/later.txt')
  product.pass(5000)
  await history.pass()
  const paths = () => heard.flatMap(({ body: { changes = [] } }) => changes.map(({ path }) => path))
  await until(() => paths().length > 0)
  expect(paths()).toEqual(['/later.txt'])
  await db.insertInto('operations').values(long).execute()
  await db.deleteFrom('operations_open').where('id', '=', id).execute()
  for (let n = 0; n < 3; n++) await history.pass()
  await until(() => paths().length > 1)
  expect(paths()).toEqual(['/later.txt', '/long.txt'])
})

function byEvent([one]: unknown[], [other]: unknown[]): number {
  return String(one).localeCompare(String(other))
}

function wish({ url, events = ['after_upload'] }: { url?: string; events?: (typeof WEBHOOK_EVENTS)[number][] } = {}) {
  return { url: url ?? `http://127.0.0.1:${receiver.port}/in`, events, enabled: true }
}

function make(wanted: Parameters<typeof wish>[0] = {}) {
  return product.as('root').webhooks.create({ body: { ...wish(wanted), current_password: PASSWORD } })
}

/** A server that says this to everybody, and waits. */
function saying(words: string): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.write(words)
    })
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}
