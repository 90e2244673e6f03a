import { describe, expect, it } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { respondSequence } from './sequence-response.ts'
import { chooseCoding, respondJson, staysHere } from './encoding.ts'

describe('the content coding of a response', () => {
  it.each([
    ['', null],
    ['identity', null],
    ['br', null],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['zstd;q=0, gzip', 'gzip'],
    ['zstd;q=0.1, gzip;q=0.9', 'gzip'],
    ['gzip;q=0', null],
    ['GZIP ; Q=1', 'gzip'],
    ['gzip;q=abc', null],
  ] as const)('%j is %s', (accepted, coding) => {
    expect(chooseCoding(accepted)).toBe(coding)
  })

  it.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1', null])('%s is this machine', (peer) => {
    expect(staysHere(asking('gzip'), peer)).toBe(true)
  })

  it.each(['10.0.0.1', '1.127.0.1', 'fe80::1', '::ffff:10.0.0.1', ''])('%s is another machine', (peer) => {
    expect(staysHere(asking('gzip'), peer)).toBe(false)
  })

  it.each(['X-Forwarded-For', 'Forwarded', 'Via'])(
    'R16: a request with %s came over a network, through any proxy on this machine',
    async (header) => {
      const passedOn = asking('gzip', { [header]: '203.0.113.9' })
      const answers = [null, '127.0.0.1', '::1'].map((peer) =>
        respondJson({ bytes: new Uint8Array(9000), mediaType: 'a/b', peer, request: passedOn }),
      )
      expect((await Promise.all(answers)).map((one) => one.headers.get('content-encoding'))).toEqual(['gzip', 'gzip', 'gzip'])
      const sequence = respondSequence(texts(), { mediaType: 'a/b', peer: '127.0.0.1', request: passedOn })
      expect(sequence.headers.get('content-encoding')).toBe('gzip')
      await sequence.body?.cancel()
    },
  )

  it('is identity for this machine and for short responses, with a Vary header', async () => {
    const answer = (bytes: number, peer: string) =>
      respondJson({ bytes: new Uint8Array(bytes), mediaType: 'a/b', peer, request: asking('gzip') })
    const [here, short, far] = await Promise.all([answer(9000, '::1'), answer(100, '10.0.0.1'), answer(9000, '10.0.0.1')])
    expect([here, short, far].map((one) => one.headers.get('content-encoding'))).toEqual([null, null, 'gzip'])
    expect(far.headers.get('vary')).toBe('Accept, Accept-Encoding')
    expect(gunzipSync(await far.bytes())).toHaveLength(9000)
  })

  it('is zstd for a client that supports it', async () => {
    const far = await respondJson({ bytes: new Uint8Array(9000), mediaType: 'a/b', peer: '10.0.0.1', request: asking('gzip, zstd') })
    expect(far.headers.get('content-encoding')).toBe('zstd')
    expect(await Bun.zstdDecompress(await far.bytes())).toHaveLength(9000)
  })
})

function asking(accepted: string, more: Record<string, string> = {}): Request {
  return new Request('http://x/', { headers: { 'accept-encoding': accepted, ...more } })
}

async function* texts(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode('{}')
}
