import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { ROOT } from '../../src/shared/file-path.ts'
import { openConnection } from './raw-connection.ts'
import { onlyInProcess } from './over-http.ts'
import { HOUR_MS, PASSWORD, type Product, startProduct } from './world.ts'
import { until } from './until.ts'

const MIB = 1024 * 1024

describe('a session that is unused for two hours', () => {
  let product: Product
  let headers: Record<string, string>
  beforeEach(async () => {
    product = await startProduct({ storage: 'local' })
    const { token, cookie } = await product.signInWeb('ann')
    headers = { 'x-auth': token, cookie }
  })
  afterEach(() => product[Symbol.asyncDispose]())

  const status = async () => (await product.ask('/api/resources/', { headers })).status
  const head = (...lines: string[]) =>
    [...lines, 'host: x', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\r\n')

  it('ends without a call', async () => {
    product.pass(2 * HOUR_MS - 1000)
    expect(await status()).toBe(200)
    product.pass(2 * HOUR_MS)
    expect(await status()).toBe(401)
  })

  for (const method of ['POST', 'PATCH'] as const)
    it(`does not end during a longer upload by ${method}`, async () => {
      if (method === 'PATCH') await product.ask('/api/tus/big.bin', { method: 'POST', headers: { ...headers, 'upload-length': '10' } })
      const address = method === 'PATCH' ? '/api/tus/big.bin' : '/api/resources/big.bin'
      using connection = await openConnection(product.port)
      const type = ['content-type: application/offset+octet-stream', 'upload-offset: 0']
      connection.write(`${head(`${method} ${address} HTTP/1.1`, 'content-length: 10', ...type)}\r\n\r\nhello`)
      await until(async () => (await busy(product)) > 0)
      product.pass(3 * HOUR_MS)
      expect(await status()).toBe(200)
      await product.world.tidy()
      product.pass(3 * HOUR_MS)
      await product.world.tidy()
      product.pass(HOUR_MS)
      connection.write('world')
      expect((await connection.read(12)).toString()).toMatch(/^HTTP\/1\.1 20[04]/)
      await until(async () => (await product.ask('/api/raw/big.bin', { headers })).status === 200)
      product.pass(HOUR_MS)
      expect(await status()).toBe(200)
      product.pass(3 * HOUR_MS)
      expect(await status()).toBe(401)
    })

  it('does not end while a video is being sent', async () => {
    await product.seed({ '/film.mp4': new Uint8Array(64 * MIB) })
    {
      using connection = await openConnection(product.port)
      connection.write(`${head('GET /api/raw/film.mp4?inline=true HTTP/1.1', 'range: bytes=0-')}\r\n\r\n`)
      expect((await connection.read(12)).subarray(0, 12).toString()).toBe('HTTP/1.1 206')
      product.pass(3 * HOUR_MS)
      expect(await status()).toBe(200)
      for (let hour = 0; hour < 9; hour += 3) {
        product.pass(3 * HOUR_MS)
        await product.world.tidy()
      }
      expect(await status()).toBe(200)
    }
    await until(async () => {
      product.pass(3 * HOUR_MS)
      return (await status()) === 401
    })
  })

  it('ends at its absolute limit during an upload', async () => {
    using connection = await openConnection(product.port)
    connection.write(`${head('POST /api/resources/big.bin HTTP/1.1', 'content-length: 10')}\r\n\r\nhello`)
    await until(async () => (await busy(product)) > 0)
    for (let day = 0; day < 29; day++) {
      product.pass(24 * HOUR_MS)
      await product.world.tidy()
    }
    expect(await status()).toBe(200)
    product.pass(25 * HOUR_MS)
    expect(await status()).toBe(401)
  })

  it('ends at once at sign-out, whatever is running', async () => {
    using connection = await openConnection(product.port)
    connection.write(`${head('POST /api/resources/big.bin HTTP/1.1', 'content-length: 10')}\r\n\r\nhello`)
    await until(async () => (await busy(product)) > 0)
    expect((await product.ask('/api/logout', { method: 'POST', headers })).status).toBe(200)
    product.pass(60_000)
    await product.world.tidy()
    expect(await status()).toBe(401)
  })
})

describe('remembering', () => {
  const cookieOf = async (product: Product, more: Record<string, unknown>) => {
    const body = JSON.stringify({ username: 'ann', password: PASSWORD, ...more })
    const response = await product.ask('/api/login', { method: 'POST', headers: { 'x-satchel-web': '1' }, body })
    return { cookie: response.headers.get('set-cookie') ?? '', token: await response.text() }
  }

  it('sets a persistent cookie, unless the user declines', async () => {
    await using product = await startProduct()
    for (const more of [{}, { remember: true }]) expect((await cookieOf(product, more)).cookie).toContain('; Max-Age=2592000;')
    const { cookie, token } = await cookieOf(product, { remember: false })
    expect(cookie).not.toMatch(/max-age|expires/i)
    expect(cookie).toContain('; HttpOnly; SameSite=Lax')
    const headers = { 'x-auth': token, cookie: cookie.split(';', 1)[0] ?? '', 'x-satchel-web': '1' }
    expect((await product.ask('/api/resources/', { headers })).status).toBe(200)
    expect((await product.ask('/api/renew', { method: 'POST', headers })).headers.get('set-cookie')).toBeNull()
  })
})

/** Bytes that wait for the rest of their upload. */
async function busy({ storage }: Product): Promise<number> {
  onlyInProcess('world.tidy')
  let bytes = 0
  for (const id of await storage.staged()) bytes += (await storage.stage(id, { near: ROOT }).settle()) ?? 0
  return bytes
}
