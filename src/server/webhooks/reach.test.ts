import { describe, expect, it } from 'bun:test'
import { createReach, isPublic } from './reach.ts'

describe('an address', () => {
  it('is public only if it is globally routable, in any notation', () => {
    for (const address of ['1.1.1.1', '93.184.215.14', '172.32.0.1', '2606:4700:4700::1111', '::ffff:1.1.1.1', '64:ff9b::101:101'])
      expect([address, isPublic(address)]).toEqual([address, true])
    const inner = [
      '127.0.0.1',
      '127.9.9.9',
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
    ]
    const more = [
      '198.18.0.1',
      '192.0.2.1',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      'fe80::1',
      'fc00::1',
      'fd00:ec2::254',
      'ff02::1',
      '2001:db8::1',
    ]
    const dressed = [
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b:1::1',
      '2002:7f00:1::',
      '2001::1',
      'fe80::1%eth0',
    ]
    for (const address of [...inner, ...more, ...dressed, 'localhost', '']) expect([address, isPublic(address)]).toEqual([address, false])
  })
})

describe('the reach of a webhook', () => {
  const names: Record<string, string[]> = {
    'open.test': ['1.1.1.1', '2606:4700:4700::1111'],
    'home.test': ['192.168.1.10'],
    'both.test': ['1.1.1.1', '10.0.0.1'],
  }
  const asked: string[] = []
  const resolve = async (name: string) => {
    asked.push(name)
    return names[name] ?? []
  }
  const reach = createReach({ allowed: ['192.168.1.0/24'], resolve })

  it('is the public internet over TLS, on web ports', async () => {
    expect(await reach.targetOf('https://open.test/a?b#c')).toEqual({
      address: '1.1.1.1',
      port: 443,
      tls: true,
      hostname: 'open.test',
      host: 'open.test',
      path: '/a?b',
    })
    expect((await reach.targetOf('https://open.test:8443/')).port).toBe(8443)
    expect(reach.targetOf('https://open.test:22/')).rejects.toThrow('port 22')
    expect(reach.targetOf('http://open.test/')).rejects.toThrow('only https')
    expect(reach.targetOf('https://none.test/')).rejects.toThrow('no address')
  })

  it('includes what the operator allows; a name with one forbidden address is refused', async () => {
    expect(await reach.targetOf('http://home.test:8123/')).toMatchObject({ address: '192.168.1.10', port: 8123, tls: false })
    expect(reach.targetOf('https://both.test/')).rejects.toThrow('10.0.0.1 is not a public address')
  })

  it('looks up a name once, and returns the address that it checked (DNS rebinding) (A4-2)', async () => {
    asked.length = 0
    expect((await reach.targetOf('https://open.test/')).address).toBe('1.1.1.1')
    expect(asked).toEqual(['open.test'])
  })

  it('refuses invalid and internal URLs in any spelling without a lookup', () => {
    for (const url of ['', 'x', 'ftp://open.test/', 'file:///etc/passwd', 'https://user:pass@open.test/', 'javascript:1'])
      expect([url, reach.problemOf(url)]).not.toEqual([url, null])
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '017700000001',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '169.254.169.254',
    ])
      expect([host, reach.problemOf(`https://${host}/`)]).not.toEqual([host, null])
    for (const url of ['https://open.test/', 'http://home.test/', 'http://192.168.1.9:1/'])
      expect([url, reach.problemOf(url)]).toEqual([url, null])
  })
})
