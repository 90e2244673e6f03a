import { describe, expect, it } from 'bun:test'
import { endpointsOf } from '../../src/shared/contract/endpoint.ts'
import { api } from '../../src/shared/contract/index.ts'
import { KEY_NAMES } from '../../src/server/config/settings-table.ts'
import { Settings } from '../../src/server/settings/settings.ts'
import { startProduct, withToken } from './world.ts'

const METHODS = ['PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK', 'REPORT', 'SEARCH']

/** What others have and we do not: when one of these appears, the attacks on it need tests of their own. */
describe('there is no', () => {
  it('reset of passwords over the network (GHSA-hw5f-6wvv-xcrh)', () =>
    expectNone(/reset|forgot/i, ['/api/reset', '/api/password/reset', '/api/forgot']))

  it('folder of files as it lies on the disk (CVE-2026-25231)', () =>
    expectNone(/^(static|public|uploads|files)\.(get|serve)$/i, [
      '/a.txt',
      '/files/a.txt',
      '/uploads/a.txt',
      '/.satchel/a.txt',
      '/static/../a.txt',
    ]))

  it('method of WebDAV at any address of the API (A4-4, CVE-2026-57490)', async () => {
    await using product = await startProduct()
    await product.seed({ '/a.txt': 'a' })
    const before = await product.snapshot()
    for (const path of new Set(endpointsOf(api).map(({ call }) => call.path)))
      for (const method of METHODS) {
        const headers = { depth: 'infinity', destination: 'http://other.test/x', overwrite: 'T' }
        const address = path.replace('*path', 'a.txt').replace(/:\w+/g, '1')
        expect([method, path, (await product.ask(address, { method, who: 'root', headers })).status]).toEqual([method, path, 405])
      }
    expect(await product.snapshot()).toEqual(before)
  })

  it('Basic sign-in: credentials in a header are ignored (CVE-2026-57490, CVE-2026-62325)', async () => {
    await using product = await startProduct()
    for (const credentials of ['ann:correct horse battery', 'ann:', ':', 'root:']) {
      const headers = { authorization: `Basic ${btoa(credentials)}` }
      expect((await product.ask('/api/resources/', { headers })).status).toBe(401)
      expect((await product.ask('/api/resources/', withToken({ headers }, ''))).status).toBe(401)
    }
  })
})

/** Neither a call nor a setting is called so, and nothing answers at these addresses, whatever the method. */
async function expectNone(words: RegExp, addresses: readonly string[]): Promise<void> {
  const names = [...endpointsOf(api).map(({ name }) => name), ...KEY_NAMES, ...Object.keys(Settings.parse({}))]
  expect(names.filter((name) => words.test(name))).toEqual([])
  await using product = await startProduct()
  await product.seed({ '/a.txt': 'the bytes', '/uploads/a.txt': 'the bytes' })
  const before = await product.snapshot()
  for (const address of addresses)
    for (const method of ['GET', 'POST', 'PUT', ...METHODS]) {
      const response = await product.ask(address, { method, who: 'root' })
      expect([method, address, response.status, await response.text()]).toEqual([
        method,
        address,
        404,
        expect.not.stringContaining('bytes'),
      ])
    }
  expect(await product.snapshot()).toEqual(before)
}
