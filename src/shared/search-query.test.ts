import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { asksContent, type Findable, matcherOf, parseQuery, printQuery } from './search-query.ts'

/** Texts in which keywords, quotes, minus and blanks come often. */
const PARTS = [
  'type:',
  'case:sensitive',
  'CASE:insensitive',
  'type:pdf',
  'ext:',
  'ext:a,.B',
  'size:',
  '1kb',
  '..',
  '<',
  '1,5m',
  'modified:',
  'content:',
  'content:"a b"',
]
const texts = fc
  .array(fc.oneof(fc.constantFrom(...PARTS, 'today', '2026-02', '9d', '"', '-', ' ', '\t', 'a', '.', ':'), fc.string()))
  .map((parts) => parts.join(''))

/** Any letters, halves of pairs among them. */
const names = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes))

const NOW = new Date(2026, 10, 22, 12)

function finds(query: string, name: string, node: Partial<Findable> = {}): boolean {
  return matcherOf(parseQuery(query, NOW)).finds({ name, kind: 'file', size: 0, modified: 0, ...node })
}

describe('a query', () => {
  it('accepts any text, and survives printing and parsing', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const query = parseQuery(text, NOW)
        expect(parseQuery(printQuery(query), NOW)).toEqual(query)
        expect(printQuery(parseQuery(printQuery(query), NOW))).toBe(printQuery(query))
      }),
    )
  })

  it('never fails for any name', () => {
    fc.assert(
      fc.property(texts, names, (text, name) => {
        matcherOf(parseQuery(text, NOW)).finds({ name, kind: 'file', size: 0, modified: 0 })
      }),
    )
  })

  it('has words, phrases, types and case:sensitive', () => {
    const { sensitive, types, words } = parseQuery('one  "two three" type:Image case:sensitive type:.PDF type:music', NOW)
    expect({ sensitive, types, words }).toEqual({ sensitive: true, types: ['image', 'pdf', 'audio'], words: ['one', 'two three'] })
  })

  it('treats keywords as text in a phrase, inside a word, and without a value', () => {
    expect(parseQuery('"type:image" mytype:image type: case:upper', NOW).words).toEqual([
      'type:image',
      'mytype:image',
      'type:',
      'case:upper',
    ])
    const said = [
      'size:big',
      'size:',
      'size:<0',
      'ext:',
      'ext:.',
      'modified:soon',
      'modified:2026-13',
      'modified:2026-02-30',
      '"ext:a"',
      '-',
    ]
    expect(parseQuery(said.join(' '), NOW).words).toEqual(said.map((word) => word.replaceAll('"', '')))
  })

  it('excludes with a minus beside other terms; if all terms have one they are text', () => {
    const { words, not } = parseQuery('a -b -"c d" -type:image --e -', NOW)
    expect([words, not.words, not.types]).toEqual([['a', '-'], ['b', 'c d', '-e'], ['image']])
    expect(parseQuery('-a -b', NOW).words).toEqual(['-a', '-b'])
    expect(parseQuery('-a case:sensitive', NOW).words).toEqual(['-a'])
    expect(parseQuery('-a "-b"', NOW)).toMatchObject({ words: ['-b'], not: { words: ['a'] } })
    expect(parseQuery('-a -ext:b', NOW)).toMatchObject({ words: [], not: { words: ['a'], extensions: ['b'] } })
    expect(parseQuery('-"a"', NOW)).toMatchObject({ words: [], not: { words: ['a'] } })
  })

  it('has no empty words', () => {
    expect(finds('zebra  ', 'lion')).toBe(false)
    expect(finds('zebra "" "', 'lion')).toBe(false)
  })

  it('searches contents by words and phrases, with a minus to exclude', () => {
    const { words, contents, not } = parseQuery('plan content:Budget -content:draft content:"two words" -CONTENT:"a b', NOW)
    expect([words, contents, not.contents]).toEqual([['plan'], ['Budget', 'two words'], ['draft', 'a b']])
    expect(parseQuery('-content:draft', NOW).not.contents).toEqual(['draft'])
    expect(parseQuery('content: content:"" "content:a" xcontent:b', NOW)).toMatchObject({
      words: ['content:', 'content:a', 'xcontent:b'],
      contents: [],
    })
    expect([asksContent(parseQuery('content', NOW)), asksContent(parseQuery('-content:a', NOW))]).toEqual([false, true])
    expect(finds('plan content:nowhere', 'plan.txt')).toBe(true)
  })

  it('closes an open phrase', () => {
    expect(parseQuery('"two thr', NOW).words).toEqual(['two thr'])
  })
})

describe('a name', () => {
  it('U10: matches any of the words, or all if requested', () => {
    const query = parseQuery('report summer', new Date())
    const node = (name: string) => ({ name, kind: 'file' as const, size: 0, modified: 0 })
    const found = (asked: string[], allWords: boolean) => asked.filter((name) => matcherOf({ ...query, allWords }).finds(node(name)))
    const two = ['Summer Report.txt', 'report.txt', 'winter.txt']
    expect(found(two, false)).toEqual(['Summer Report.txt', 'report.txt'])
    expect(found(two, true)).toEqual(['Summer Report.txt'])
  })

  it('matches one of several words, anywhere in it', () => {
    expect(finds('day zebra', 'Holidays.txt')).toBe(true)
    expect(finds('"holidays txt"', 'Holidays.txt')).toBe(false)
  })

  it('matches in any case unless case matters', () => {
    expect(finds('HOLI', 'holidays')).toBe(true)
    expect(finds('HOLI case:sensitive', 'holidays')).toBe(false)
    expect(finds('ΟΔΟΣ', 'οδος.txt')).toBe(true)
  })

  it('matches in any Unicode form', () => {
    expect(finds('café', 'cafe\u0301.txt')).toBe(true)
    expect(finds('cafe\u0301 case:sensitive', 'café.txt')).toBe(true)
  })

  it('has a type by its extension in any case; folders have none', () => {
    expect(finds('type:image', 'a.JPG')).toBe(true)
    expect(finds('type:pdf', 'a.PDF')).toBe(true)
    expect(finds('type:tar.gz', 'a.TAR.gz')).toBe(true)
    expect(finds('type:music', 'a.mp3')).toBe(true)
    expect(finds('type:image type:video', 'a.mkv')).toBe(true)
    expect(finds('type:image', 'a.mkv')).toBe(false)
    expect(finds('type:image', 'album.jpg', { kind: 'folder' })).toBe(false)
  })

  it('matches one of several extensions', () => {
    for (const [query, name, found] of [
      ['ext:pdf', 'a.PDF', true],
      ['ext:jpg,.png', 'a.png', true],
      ['ext:tar.gz', 'a.tar.gz', true],
      ['ext:pdf type:image', 'a.png', true],
      ['ext:image', 'a.png', false],
      ['ext:df', 'a.pdf', false],
    ] as const)
      expect([query, name, finds(query, name)]).toEqual([query, name, found])
    expect(finds('ext:pdf', 'a.pdf', { kind: 'folder' })).toBe(false)
  })

  it('does not match an excluded condition', () => {
    expect(finds('plan -draft', 'plan.txt')).toBe(true)
    expect(finds('plan -draft', 'Plan Draft.txt')).toBe(false)
    expect(finds('plan -"a b"', 'plan a b')).toBe(false)
    expect(finds('plan -DRAFT case:sensitive', 'plan draft')).toBe(true)
    expect(finds('-ext:txt', 'a.txt')).toBe(false)
    expect(finds('-ext:txt', 'a.txt', { kind: 'folder' })).toBe(true)
    expect(finds('-type:image', 'a.txt')).toBe(true)
    expect(finds('-size:>1kb', 'a', { size: 2000 })).toBe(false)
    expect(finds('-size:>1kb', 'a', { kind: 'folder', size: 4096 })).toBe(true)
    expect(finds('-modified:today', 'a', { modified: NOW.getTime() })).toBe(false)
  })

  it('matches size (files only) and time; all conditions must hold', () => {
    expect(finds('size:>1kb size:<3kb', 'a', { size: 2000 })).toBe(true)
    expect(finds('size:>1kb size:<3kb', 'a', { size: 3072 })).toBe(false)
    expect(finds('size:>=0', 'a', { kind: 'folder', size: 4096 })).toBe(false)
    expect(finds('modified:2026 modified:<7d', 'a', { kind: 'folder', modified: new Date(2026, 10, 20).getTime() })).toBe(true)
    expect(finds('modified:2026 modified:<7d', 'a', { modified: new Date(2026, 10, 1).getTime() })).toBe(false)
  })

  it('of a link matches whatever its own size and time', () => {
    const link = { kind: 'link', size: 5, modified: 1 } as const
    const { finds: found, measures } = matcherOf(parseQuery('x size:>1kb', NOW))
    expect([found({ name: 'x', ...link }), found({ name: 'y', ...link })]).toEqual([true, false])
    expect([measures({ ...link, kind: 'file', size: 2000 }), measures(link)]).toEqual([true, false])
  })

  it('matches an empty query', () => {
    expect(finds('', 'a')).toBe(true)
  })
})
