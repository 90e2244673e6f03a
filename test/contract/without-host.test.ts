import { describe, expect, it } from 'bun:test'
import { exchange, readReply } from './wire.ts'
import { startProduct } from './world.ts'

describe('A21: a request without a valid Host header', () => {
  /** None; one that is no address. */
  const HOSTS = ['', 'Host: \r\n', 'Host: a:99999\r\n']
  const UNCLEAR = [
    'Host: a b\r\n',
    'Host: a@b\r\n',
    'Host: a/api\r\n',
    'Host: a?b\r\n',
    'Host: [::1\r\n',
    'Host: %zz\r\n',
    'Host: a\r\nHost: b\r\n',
    'Host: a\r\nHost: a\r\n',
    'Host: a\r\nAccept: */*\r\nhost: b\r\n',
    'Host: a, b\r\n',
  ]

  it('A21: is served under the requested path, and no other', async () => {
    await using product = await startProduct({ storage: 'local' })
    await product.seed({ '/a.txt': 'a' })
    const token = await product.signIn('ann')
    for (const host of HOSTS) {
      const get = async (path: string) => {
        const head = `GET ${path} HTTP/1.${host === '' ? 0 : 1}\r\n${host}X-Auth: ${token}\r\nConnection: close\r\n\r\n`
        const reply = readReply(await exchange(product.port, Buffer.from(head, 'latin1')))
        return [host, path, reply.status, reply.headers.get('content-type')?.split(';')[0]]
      }
      expect(await get('/health')).toEqual([host, '/health', 200, 'text/plain'])
      expect(await get('/api/resources/')).toEqual([host, '/api/resources/', 200, 'application/json'])
      expect(await get('/api/raw/a.txt')).toEqual([host, '/api/raw/a.txt', 200, 'application/octet-stream'])
      expect(await get('/x/api/resources/')).not.toContain('application/json')
      expect(await get('/x/api/raw/a.txt')).not.toContain('application/octet-stream')
    }
  })

  it('A21: is refused with several or invalid hosts (RFC 9112 3.2), whatever it requests', async () => {
    await using product = await startProduct({ storage: 'local' })
    await product.seed({ '/a.txt': 'a' })
    const token = await product.signIn('ann')
    for (const host of UNCLEAR)
      for (const path of ['/health', '/api/resources/', '/api/raw/a.txt', '/x/api/raw/a.txt', '/', '/files/']) {
        const head = `GET ${path} HTTP/1.1\r\n${host}X-Auth: ${token}\r\nConnection: close\r\n\r\n`
        const { status } = readReply(await exchange(product.port, Buffer.from(head, 'latin1')))
        expect([host, path, status]).toEqual([host, path, 400])
      }
    for (const host of ['a', 'a.b-c_d.example', 'a:80', '127.0.0.1:8080', '[::1]', '[::1]:8080', 'xn--bcher-kva.example', 'b%C3%BCcher'])
      expect([host, (await product.ask('/health', { headers: { host } })).status]).toEqual([host, 200])
  })
})
