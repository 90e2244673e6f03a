import { describe, expect, it } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { chooseCoding, respondJson } from './encoding.ts'

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

  it('is identity for this machine and for short responses, with a Vary header', async () => {
    const answer = (bytes: number, local: boolean) =>
      respondJson({ bytes: new Uint8Array(bytes), mediaType: 'a/b', local, request: asking('gzip') })
    const [here, short, far] = await Promise.all([answer(9000, true), answer(100, false), answer(9000, false)])
    expect([here, short, far].map((one) => one.headers.get('content-encoding'))).toEqual([null, null, 'gzip'])
    expect(far.headers.get('vary')).toBe('Accept, Accept-Encoding')
    expect(gunzipSync(await far.bytes())).toHaveLength(9000)
  })

  it('is zstd for a client that supports it', async () => {
    const far = await respondJson({ bytes: new Uint8Array(9000), mediaType: 'a/b', local: false, request: asking('gzip, zstd') })
    expect(far.headers.get('content-encoding')).toBe('zstd')
    expect(await Bun.zstdDecompress(await far.bytes())).toHaveLength(9000)
  })
})

function asking(accepted: string): Request {
  return new Request('http://x/', { headers: { 'accept-encoding': accepted } })
}
