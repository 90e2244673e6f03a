import { describe, expect, it } from 'bun:test'
import { createPeerResolver } from './peer.ts'

describe('the client’s address (I10)', () => {
  const origin = createPeerResolver(['10.0.0.0/8', '::1/128'])

  it('is that of the socket if no proxy is trusted, and forwarding headers are removed', () => {
    const headers = new Headers({
      'x-forwarded-for': '9.9.9.9',
      'x-real-ip': '9.9.9.9',
      'x-forwarded-proto': 'https',
      forwarded: 'for=9.9.9.9',
    })
    expect(createPeerResolver([])({ address: () => '127.0.0.1', tls: false }, headers)).toEqual({
      peer: '127.0.0.1',
      secure: false,
      trusted: false,
      local: false,
    })
    expect([...headers.keys()]).toEqual([])
  })

  it('is the last address before the trusted proxies, never one that the client claims (R5)', () => {
    for (const [forwarded, peer] of [
      ['6.6.6.6', '6.6.6.6'],
      ['1.1.1.1, 6.6.6.6', '6.6.6.6'],
      ['1.1.1.1, 6.6.6.6, 10.2.3.4', '6.6.6.6'],
      ['10.9.9.9', '10.9.9.9'],
      ['', '10.0.0.1'],
      ['1.1.1.1, evil', '10.0.0.1'],
      ['evil, 6.6.6.6:1234', '6.6.6.6'],
      ['"[2001:db8::1]:443"', '2001:db8::1'],
      ['::ffff:6.6.6.6', '6.6.6.6'],
      ['fe80::1%eth0', '10.0.0.1'],
    ] as const) {
      const { peer: found } = origin({ address: () => '::ffff:10.0.0.1', tls: false }, new Headers({ 'x-forwarded-for': forwarded }))
      expect([forwarded, found]).toEqual([forwarded, peer])
    }
  })

  it('is that of the peer if the peer is untrusted', () => {
    expect(origin({ address: () => '11.0.0.1', tls: false }, new Headers({ 'x-forwarded-for': '6.6.6.6' })).peer).toBe('11.0.0.1')
  })

  it('is taken from headers on a unix socket only if that is trusted', () => {
    const headers = (): Headers => new Headers({ 'x-forwarded-for': '6.6.6.6', 'x-forwarded-proto': 'https' })
    expect(origin({ address: () => null, tls: false }, headers())).toMatchObject({ peer: null, secure: false, trusted: false })
    expect(createPeerResolver(['unix'])({ address: () => null, tls: false }, headers())).toMatchObject({
      peer: '6.6.6.6',
      secure: true,
      trusted: true,
    })
  })
})

describe('R16: a response stays on this machine', () => {
  const isLocal = (address: string | null, headers: Record<string, string> = {}) =>
    [[], ['127.0.0.0/8', '::1/128', 'unix']].map(
      (trusted) => createPeerResolver(trusted)({ address: () => address, tls: false }, new Headers(headers)).local,
    )

  it.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1', null])('where the client is here: %s', (address) => {
    expect(isLocal(address)).toEqual([true, true])
  })

  it.each(['10.0.0.1', '1.127.0.1', 'fe80::1', '::ffff:10.0.0.1'])('and not where it is elsewhere: %s', (address) => {
    expect(isLocal(address)).toEqual([false, false])
  })

  it.each(['X-Forwarded-For', 'X-Forwarded-Proto', 'X-Forwarded-Host', 'X-Real-IP', 'Forwarded', 'Via'])(
    'nor where a proxy here forwarded the request, trusted or not: %s',
    (header) => {
      for (const address of ['127.0.0.1', '::1', null]) expect(isLocal(address, { [header]: '203.0.113.9' })).toEqual([false, false])
    },
  )
})
