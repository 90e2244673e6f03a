import { expect, it } from 'bun:test'
import { networksOf } from './networks.ts'

it('an IPv4 address is one customer, in a /24 and a /16', () => {
  const networks = { own: '192.0.2.1', site: '192.0.2.0/24', provider: '192.0.0.0/16' }
  expect(networksOf('192.0.2.1')).toEqual(networks)
  expect(networksOf('::ffff:192.0.2.1')).toEqual(networks)
})

it('an IPv6 customer is a /64, in a /48 and a /32, in any notation', () => {
  expect(networksOf('2001:DB8:a::1')).toEqual({ own: '2001:db8:a:0::/64', site: '2001:db8:a::/48', provider: '2001:db8::/32' })
  expect(networksOf('2001:db8:0:0:ffff::').own).toBe('2001:db8:0:0::/64')
  expect(networksOf('fe80::1%eth0').own).toBe('fe80:0:0:0::/64')
  expect(networksOf('::1').own).toBe('0:0:0:0::/64')
})
