import { describe, expect, it } from 'bun:test'
import * as fc from 'fast-check'
import { addressesOf, ownPath, redirectUri } from './addresses.ts'

describe('the page to open afterwards', () => {
  it('is kept if it is one of ours', () => {
    for (const path of ['/', '/files/a%20b?x=1#y', '/settings/profile', '/files/%2F%2Fa']) expect(ownPath(path)).toBe(path)
  })

  it('is the first page for anything else (A4-1)', () => {
    for (const path of [
      undefined,
      '',
      'files',
      '//x',
      '/\\x',
      '\\x',
      '/\tx',
      '/\n/x',
      'https://x',
      'javascript:1',
      '/x\\y',
      `/${'x'.repeat(2000)}`,
    ])
      expect(ownPath(path)).toBe('/')
  })

  it('never leads to another origin, whatever was asked for', () => {
    const parts = fc.constantFrom('/', '\\', '.', '..', ':', '@', '?', '#', '%2f', '%5c', '\t', 'x', 'https', '//')
    const anything = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.array(parts, { maxLength: 8 }).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(anything, (path) => {
        expect(new URL(ownPath(path), 'http://own.test').origin).toBe('http://own.test')
        expect(new URL(ownPath(`/${path}`), 'http://own.test').origin).toBe('http://own.test')
      }),
    )
  })
})

describe('the address of this server', () => {
  const request = (host: string) => new Request('http://inside.test/api/oidc/idp/start', { headers: { host } })

  it('is the one by which the request came, with the scheme that the proxy says and the base URL', () => {
    const options = { publicOrigins: [], baseUrl: '/files' }
    expect(redirectUri(addressesOf(request('files.example:8443'), { secure: true }, options), 'idp')).toBe(
      'https://files.example:8443/files/api/oidc/idp/callback',
    )
    expect(addressesOf(request('localhost:8080'), { secure: false }, options).origin).toBe('http://localhost:8080')
  })

  it('is the operator’s, if there is one, whatever Host says', () => {
    const options = { publicOrigins: ['https://files.example', 'https://other.example'], baseUrl: '' }
    expect(addressesOf(request('evil.example'), { secure: false }, options)).toEqual({ origin: 'https://files.example', base: '' })
  })
})
