import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { dav, type DavRequest } from './dav-calls.ts'
import { EVERYTHING, onEachStorage } from './world.ts'

setDefaultTimeout(60_000)

const FILES = '/remote.php/dav/files/ann'
const UPLOAD = '/remote.php/dav/uploads/ann/7'
const SUMS = '<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><oc:checksums/></d:prop></d:propfind>'
const sumOf = (text: string): string => `SHA256:${new Bun.CryptoHasher('sha256').update(text).digest('hex')}`

onEachStorage((product) => {
  const call = (what: string, options: DavRequest = {}) => dav(product(), what, { at: '', ...options })
  const status = async (what: string, options?: DavRequest) => (await call(what, options)).status
  const told = async (path: string, options: DavRequest = {}, files = FILES) => {
    const text = await (await call(`PROPFIND ${files}${path}`, { body: SUMS, ...options, headers: { depth: '0' } })).text()
    return /<oc:checksum>([^<]*)</.exec(text)?.[1] ?? null
  }

  describe('checksums of sync clients', () => {
    it('are told of a file as long as it is what was sent, and only to those who may read it', async () => {
      expect(await status(`PUT ${FILES}/a.txt`, { body: 'first', headers: { 'oc-checksum': sumOf('first') } })).toBe(201)
      expect(await told('/a.txt')).toBe(sumOf('first'))
      expect((await call(`GET ${FILES}/a.txt`)).headers.get('oc-checksum')).toBe(sumOf('first'))
      await call(`MOVE ${FILES}/a.txt`, { headers: { destination: `${FILES}/b.txt` } })
      expect(await told('/b.txt')).toBe(sumOf('first'))
      await product().add('eve', { may: { ...EVERYTHING, download: false } })
      expect(await told('/b.txt', { as: 'eve' }, '/remote.php/dav/files/eve')).toBe(null)
      await product().seed({ '/b.txt': 'other' })
      expect([await told('/b.txt'), (await call(`GET ${FILES}/b.txt`)).headers.get('oc-checksum')]).toEqual([null, null])
    })

    it('of a file in chunks are compared with what has arrived, also if a chunk came twice or in part', async () => {
      const sent = async (move: string, parts: readonly string[]) => {
        await call(`MKCOL ${UPLOAD}`)
        for (const [index, body] of parts.entries()) await call(`PUT ${UPLOAD}/${index + 1}`, { body })
        // The answer to the last one was lost.
        await call(`PUT ${UPLOAD}/${parts.length}`, { body: parts.at(-1) ?? '' })
        return status(`MOVE ${UPLOAD}/.file`, { headers: { destination: `${FILES}/large.bin`, 'oc-checksum': move } })
      }
      expect(await sent(sumOf('abcdef'), ['abc', 'dEf'])).toBe(400)
      expect(
        await product()
          .read('/large.bin')
          .catch(() => 'nothing'),
      ).toBe('nothing')
      // All of it is sent again.
      expect(await status(`PROPFIND ${UPLOAD}`, { headers: { depth: '1' } })).toBe(404)
      expect(await sent(sumOf('abcdef'), ['abc', 'def'])).toBe(201)
      expect([await product().read('/large.bin'), await told('/large.bin')]).toEqual(['abcdef', sumOf('abcdef')])
    })
  })
})
