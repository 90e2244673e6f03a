import { describe, expect, it } from 'bun:test'
import { dav, davStatus, LOCK_BODY } from './dav-calls.ts'
import { onEachStorage } from './world.ts'

const DEEP = 200
const BOMB = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, i) => `<!ENTITY ${'bcdefghij'[i]} "${`&${'abcdefghi'[i]};`.repeat(10)}">`).join('')}]>`
const FIND = (inner: string) => `<D:propfind xmlns:D="DAV:">${inner}</D:propfind>`
const UPDATE = (inner: string) => `<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop>${inner}</D:prop></D:set></D:propertyupdate>`
/** Documents that must cost nothing. */
const DOCUMENTS: readonly string[] = [
  `${BOMB}${FIND('<D:prop><D:x>&j;</D:x></D:prop>')}`,
  `<!DOCTYPE x SYSTEM "file:///etc/passwd">${FIND('<D:allprop/>')}`,
  `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>${FIND('<D:prop><D:x>&f;</D:x></D:prop>')}`,
  FIND('<D:prop><D:x>&unknown;</D:x></D:prop>'),
  FIND(`${'<D:prop>'.repeat(DEEP)}${'</D:prop>'.repeat(DEEP)}`),
  FIND(`<D:prop>${'<D:x/>'.repeat(6000)}</D:prop>`),
  FIND('<D:prop><u:undeclared/></D:prop>'),
  FIND('<D:prop>'),
  '<a/><b/>',
  '\u0000',
  'text',
  '<D:propertyupdate xmlns:D="DAV:"/>',
  '<D:lockinfo xmlns:D="DAV:"/>',
]
const CONDITIONS: readonly string[] = [
  '',
  '(',
  '()',
  '(<a)',
  '<a>',
  '(Not)',
  '(Not Not <a>)',
  '(["a)',
  `(${'<urn:x>'.repeat(200)})`,
  '('.repeat(3000),
  '(<a>) <b> (<c>)',
  `(<${'a'.repeat(9000)}>)`,
]
const DESTINATIONS: readonly string[] = [
  '',
  'http://',
  'http://evil.example/dav/b.txt',
  'http://satchel.test@evil.example/dav/b.txt',
  '//evil.example/dav/b.txt',
  'ftp://satchel.test/dav/b.txt',
  'b.txt',
  '/dav/../etc',
  '/dav/%2e%2e/etc',
  '/dav/%2e%2e%2fetc',
  '/dav/a%00b',
  '/dav/%',
  '/davother/b.txt',
  '/dav/.satchel/b.txt',
  '/dav//b.txt',
  '/dav/b.txt#x',
  '/dav/b.txt?x',
]

onEachStorage((product) => {
  const status = (...args: Parameters<typeof davStatus> extends [unknown, ...infer Rest] ? Rest : never) => davStatus(product(), ...args)

  describe('hostile requests by WebDAV', () => {
    it('A4-4: documents with entities, or nested deeply, or malformed, are refused by every method that reads one', async () => {
      await product().seed({ '/a.txt': 'a' })
      const before = await product().snapshot()
      for (const body of DOCUMENTS)
        for (const method of ['PROPFIND', 'PROPPATCH', 'LOCK']) {
          const refused = await dav(product(), `${method} /a.txt`, { headers: { depth: '0' }, body })
          // What says no more than a lock needs is long enough for one.
          const expected = method === 'LOCK' && body.length > 16 * 1024 ? 413 : 400
          expect([method, body.slice(0, 60), refused.status]).toEqual([method, body.slice(0, 60), expected])
          expect(await refused.text()).not.toContain('root:')
        }
      for (const method of ['PROPFIND', 'PROPPATCH', 'LOCK'])
        expect(await status(`${method} /a.txt`, { headers: { depth: '0' }, body: FIND(' '.repeat(300 * 1024)) })).toBe(413)
      expect(await product().snapshot()).toEqual(before)
    })

    it('dav-attack-5, dav-attack-14: documents whose answer would be many times as long, or no XML, are refused', async () => {
      await product().seed({ '/a.txt': 'a' })
      const long = (length: number) => `http://example.org/${'n'.repeat(length)}`
      const attributes = Array.from({ length: 200 }, (_, n) => `a${n}="1"`).join(' ')
      const names = Array.from({ length: 1000 }, (_, n) => `<x:${'n'.repeat(40)}${n} xmlns:x="u"/>`).join('')
      const documents: [string, string, number][] = [
        ['PROPFIND', FIND(`<D:prop><x:a xmlns:x="${long(2000)}"/></D:prop>`), 400],
        ['PROPFIND', FIND(`<D:prop>${names}</D:prop>`), 413],
        ['PROPFIND', FIND('<D:prop><xml:a/></D:prop>'), 400],
        ['PROPPATCH', UPDATE(`<x:a xmlns:x="u" ${attributes}/>`), 400],
        ['PROPPATCH', UPDATE(`<x:a xmlns:x="u" xmlns:y="${long(2000)}" y:b="1"/>`), 400],
        ['PROPPATCH', UPDATE('<xml:a>1</xml:a>'), 400],
      ]
      for (const [method, body, expected] of documents)
        expect([body.slice(0, 90), await status(`${method} /a.txt`, { headers: { depth: '0' }, body })]).toEqual([
          body.slice(0, 90),
          expected,
        ])
      expect(
        await status('PROPFIND /a.txt', { headers: { depth: '0' }, body: FIND(`<D:prop><x:a xmlns:x="${long(200)}"/></D:prop>`) }),
      ).toBe(207)
    })

    it('conditions that are malformed or longer than any client makes them are refused', async () => {
      await product().seed({ '/a.txt': 'a' })
      for (const condition of CONDITIONS.filter((one) => one !== ''))
        expect([condition.slice(0, 40), await status('PUT /a.txt', { body: 'x', headers: { if: condition } })]).toEqual([
          condition.slice(0, 40),
          400,
        ])
      expect(await product().read('/a.txt')).toBe('a')
    })

    it('destinations elsewhere, or that leave the tree, lead nowhere', async () => {
      await product().seed({ '/a.txt': 'a' })
      const before = await product().snapshot()
      for (const destination of DESTINATIONS)
        for (const method of ['COPY', 'MOVE']) {
          const answered = await status(`${method} /a.txt`, { headers: { destination } })
          expect([destination, [400, 403, 404, 409, 502].includes(answered), answered]).toEqual([destination, true, answered])
        }
      expect(await product().snapshot()).toEqual(before)
    })

    it('paths that leave the tree or name what is private are not found, by no method', async () => {
      await product().seed({ '/a.txt': 'a' })
      for (const path of ['/.satchel', '/.satchel/trash', '/a.txt/b', '/%2e%2e/%2e%2e/etc/passwd', '/%00'])
        for (const method of ['GET', 'PROPFIND', 'PUT', 'DELETE', 'MKCOL', 'LOCK']) {
          const options = {
            headers: { depth: '0' },
            ...(method === 'PUT' && { body: 'x' }),
            ...(method === 'LOCK' && { body: LOCK_BODY }),
          }
          expect([method, path, (await status(`${method} ${path}`, options)) >= 400]).toEqual([method, path, true])
        }
      expect(Object.keys(await product().snapshot()).filter((path) => path.startsWith('/'))).toEqual(['/a.txt'])
    })

    it('an owner of a lock is markup of its own, and no more than a few words', async () => {
      await product().seed({ '/a.txt': 'a' })
      const owner = (text: string) => LOCK_BODY.replace('Word', text)
      expect(await status('LOCK /a.txt', { headers: { depth: '0' }, body: owner('x'.repeat(600)) })).toBe(413)
      expect(await status('LOCK /a.txt', { headers: { depth: '0' }, body: owner('&lt;script>&amp;') })).toBe(200)
      expect(await (await dav(product(), 'PROPFIND /a.txt', { headers: { depth: '0' } })).text()).toContain('>&lt;script&gt;&amp;</owner>')
    })

    it('methods that are none of ours are refused with those that are', async () => {
      for (const method of ['POST', 'PATCH', 'REPORT', 'SEARCH', 'MKCALENDAR'])
        expect([method, (await dav(product(), `${method} /`)).headers.get('allow')]).toEqual([method, expect.stringContaining('PROPFIND')])
    })
  })
})
