import { describe, expect, it } from 'bun:test'
import { exchange, readReply } from './wire.ts'
import { startProduct } from './world.ts'

describe('A21: a request that names no host, or none that can be one', () => {
  const HOSTS = [
    '',
    'Host: \r\n',
    'Host: a b\r\n',
    'Host: a@b\r\n',
    'Host: a/api\r\n',
    'Host: a?b\r\n',
    'Host: [::1\r\n',
    'Host: a:99999\r\n',
  ]

  it('A21: is served under the path that it asks for, and under no other', async () => {
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
})
