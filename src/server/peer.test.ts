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
    expect(createPeerResolver([])({ address: '127.0.0.1', tls: false }, headers)).toEqual({
      peer: '127.0.0.1',
      secure: false,
      trusted: false,
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
      const { peer: found } = origin({ address: '::ffff:10.0.0.1', tls: false }, new Headers({ 'x-forwarded-for': forwarded }))
      expect([forwarded, found]).toEqual([forwarded, peer])
    }
  })

  it('is that of the peer if the peer is untrusted', () => {
    expect(origin({ address: '11.0.0.1', tls: false }, new Headers({ 'x-forwarded-for': '6.6.6.6' })).peer).toBe('11.0.0.1')
  })

  it('is taken from headers on a unix socket only if that is trusted', () => {
    const headers = (): Headers => new Headers({ 'x-forwarded-for': '6.6.6.6', 'x-forwarded-proto': 'https' })
    expect(origin({ address: null, tls: false }, headers())).toEqual({ peer: null, secure: false, trusted: false })
    expect(createPeerResolver(['unix'])({ address: null, tls: false }, headers())).toEqual({ peer: '6.6.6.6', secure: true, trusted: true })
  })
})
