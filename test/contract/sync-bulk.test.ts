import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { basic } from './dav-calls.ts'
import { deny, EVERYTHING, onEachStorage, PASSWORD } from './world.ts'

setDefaultTimeout(60_000)

interface Part {
  readonly path: string
  readonly text: string
  readonly headers?: Record<string, string>
}

const md5 = (text: string): string => new Bun.CryptoHasher('md5').update(text).digest('hex')

/** As Nextcloud's desktop client writes it. */
function bodyOf(parts: readonly Part[]): string {
  const written = parts.map(({ path, text, headers = {} }) => {
    const all = { 'Content-Length': String(Buffer.byteLength(text)), 'X-File-MD5': md5(text), 'X-File-Path': path, ...headers }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    return `--boundary_.oOo._x\r\n${lines.join('')}\r\n${text}\r\n`
  })
  return `${written.join('')}--boundary_.oOo._x--\r\n`
}

onEachStorage((product) => {
  const send = (body: string, { as = 'ann', password }: { as?: string; password?: string } = {}) =>
    product().ask('/remote.php/dav/bulk', {
      method: 'POST',
      headers: { authorization: basic(as, password), 'content-type': 'multipart/related; boundary="boundary_.oOo._x"' },
      body,
    })
  const sent = async (parts: readonly Part[], who?: { as?: string; password?: string }) => {
    const response = await send(bodyOf(parts), who)
    return (await response.json()) as Record<string, { error: boolean; message?: string; etag: string; 'OC-FileID': string }>
  }

  describe('many small files in one request of a sync client', () => {
    it('stores each with its time, and tells its ETag and id', async () => {
      await product().seed({ '/folder/old.txt': 'old' })
      const told = await sent([
        { path: '/folder/a ü.txt', text: 'first', headers: { 'X-File-Mtime': '1000000000' } },
        { path: '/folder/empty', text: '' },
        { path: '/b.txt', text: '--boundary_.oOo._x\r\n' },
      ])
      expect(Object.values(told).map(({ error }) => error)).toEqual([false, false, false])
      const got = await product().ask('/remote.php/dav/files/ann/folder/a%20%C3%BC.txt', { headers: { authorization: basic('ann') } })
      expect([await got.text(), got.headers.get('etag'), got.headers.get('last-modified')]).toEqual([
        'first',
        told['/folder/a ü.txt']?.etag ?? '',
        'Sun, 09 Sep 2001 01:46:40 GMT',
      ])
      expect([await product().read('/b.txt'), await product().read('/folder/empty')]).toEqual(['--boundary_.oOo._x\r\n', ''])
    })

    it('tells of each file why it was not stored, and stores the others', async () => {
      await product().seed({ '/a.txt': 'old', '/folder/x': 'x' })
      const told = await sent([
        { path: '/a.txt', text: 'new', headers: { 'If-Match': '"another"' } },
        { path: '/damaged.txt', text: 'damaged', headers: { 'X-File-MD5': md5('other') } },
        { path: '/folder', text: 'a file' },
        { path: '/none/b.txt', text: 'b' },
        { path: '/../../b.txt', text: 'b' },
        { path: '/fine.txt', text: 'fine' },
      ])
      expect(Object.values(told).map(({ error }) => error)).toEqual([true, true, true, true, true, false])
      expect([await product().read('/a.txt'), await product().read('/fine.txt')]).toEqual(['old', 'fine'])
      expect(
        await product()
          .read('/damaged.txt')
          .catch(() => 'nothing'),
      ).toBe('nothing')
    })

    it('has the rights, rules and tokens of single uploads', async () => {
      await product().seed({ '/a.txt': 'old', '/hidden/x': 'x' })
      await product().add('eve', { rules: [deny('/hidden')], may: { ...EVERYTHING, modify: false } })
      await product().add('reader', { may: { ...EVERYTHING, create: false, modify: false } })
      const parts = ['/a.txt', '/hidden/new.txt', '/new.txt'].map((path) => ({ path, text: 'by somebody' }))
      const errors = (told: Awaited<ReturnType<typeof sent>>) => parts.map(({ path }) => told[path]?.error)
      expect(errors(await sent(parts, { as: 'reader' }))).toEqual([true, true, true])
      const { token: password } = await product()
        .as('ann')
        .tokens.create({ body: { name: 't', perm: { ...EVERYTHING, create: false, modify: false }, current_password: PASSWORD } })
      expect(errors(await sent(parts, { password }))).toEqual([true, true, true])
      expect(errors(await sent(parts, { as: 'eve' }))).toEqual([true, true, false])
      expect([await product().read('/a.txt'), await product().read('/new.txt')]).toEqual(['old', 'by somebody'])
      expect((await send(bodyOf(parts), { as: 'ann', password: 'wrong' })).status).toBe(401)
    })

    it('refuses bodies that are damaged, too long, or of another type, and keeps what was whole before', async () => {
      const whole = bodyOf([{ path: '/whole.txt', text: 'whole' }]).replace('--boundary_.oOo._x--\r\n', '')
      const damaged: Record<string, string> = {
        'a part without length': whole + '--boundary_.oOo._x\r\nX-File-Path: /b.txt\r\n\r\nb\r\n',
        'a part that is longer than it says': whole + bodyOf([{ path: '/b.txt', text: 'bb', headers: { 'Content-Length': '1' } }]),
        'a body that ends too early': whole + '--boundary_.oOo._x\r\nX-File-Path: /b.txt\r\nContent-Length: 10\r\n\r\nb',
        'a header that is none': whole + '--boundary_.oOo._x\r\nnothing\r\n\r\n',
      }
      for (const [says, body] of Object.entries(damaged)) {
        expect([says, (await send(body)).status]).toEqual([says, 400])
        expect(await product().read('/whole.txt')).toBe('whole')
      }
      const huge = '--boundary_.oOo._x\r\nX-File-Path: /b.txt\r\nContent-Length: 99999999\r\n\r\n'
      expect((await send(huge)).status).toBe(413)
      const other = { authorization: basic('ann'), 'content-type': 'application/json' }
      expect((await product().ask('/remote.php/dav/bulk', { method: 'POST', headers: other, body: '{}' })).status).toBe(400)
      expect((await product().ask('/remote.php/dav/bulk', { method: 'PUT', headers: other, body: '{}' })).status).toBe(405)
    })

    it('are at most four requests of one person at the same time, each of which ends by itself or with its client', async () => {
      const clients = Array.from({ length: 4 }, () => new AbortController())
      const open = clients.map(({ signal }) =>
        product()
          .ask('/remote.php/dav/bulk', {
            method: 'POST',
            headers: { authorization: basic('ann'), 'content-type': 'multipart/related; boundary=x' },
            body: new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('--x\r\n')) }),
            signal,
          })
          .catch(() => null),
      )
      await Bun.sleep(50)
      const one = bodyOf([{ path: '/one.txt', text: 'one' }])
      expect((await send(one)).status).toBe(429)
      await product().add('eve')
      expect((await send(one, { as: 'eve' })).status).toBe(200)
      for (const client of clients) client.abort()
      await Promise.all(open)
      await Bun.sleep(50)
      expect((await send(one)).status).toBe(200)
    })
  })
})
