import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { marksIn, matcherOf, parseQuery, printQuery } from './search-query.ts'

/** Texts in which keywords, quotes and blanks come often. */
const texts = fc
  .array(fc.oneof(fc.constantFrom('type:', 'case:sensitive', 'CASE:insensitive', 'type:pdf', '"', ' ', '\t', 'a', '.', ':'), fc.string()))
  .map((parts) => parts.join(''))

function finds(query: string, name: string, isFolder = false): boolean {
  return matcherOf(parseQuery(query))(name, isFolder)
}

describe('a query', () => {
  it('is any text whatever, and means the same when it is printed and read again', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const query = parseQuery(text)
        expect(parseQuery(printQuery(query))).toEqual(query)
        expect(printQuery(parseQuery(printQuery(query)))).toBe(printQuery(query))
      }),
    )
  })

  it('never fails, whatever the name, and marks only what is there', () => {
    fc.assert(
      fc.property(texts, fc.string({ unit: 'binary' }), (text, name) => {
        const query = parseQuery(text)
        matcherOf(query)(name, false)
        for (const [start, end] of marksIn(name, query)) {
          expect(start).toBeLessThan(end)
          expect(end).toBeLessThanOrEqual(name.length)
        }
      }),
    )
  })

  it('has words, phrases, types and a word about case', () => {
    expect(parseQuery('one  "two three" type:Image case:sensitive type:.PDF type:music')).toEqual({
      sensitive: true,
      types: ['image', 'pdf', 'audio'],
      words: ['one', 'two three'],
    })
  })

  it('takes keywords for text in a phrase, inside a word, and where they say nothing', () => {
    expect(parseQuery('"type:image" mytype:image type: case:upper').words).toEqual(['type:image', 'mytype:image', 'type:', 'case:upper'])
  })

  it('has no empty words, so that a second blank does not find everything', () => {
    expect(finds('zebra  ', 'lion')).toBe(false)
    expect(finds('zebra "" "', 'lion')).toBe(false)
  })

  it('closes a phrase that nobody closed', () => {
    expect(parseQuery('"two thr').words).toEqual(['two thr'])
  })
})

describe('a name', () => {
  it('is found by one of several words, anywhere in it', () => {
    expect(finds('day zebra', 'Holidays.txt')).toBe(true)
    expect(finds('"holidays txt"', 'Holidays.txt')).toBe(false)
  })

  it('is found in any case unless case is said to matter', () => {
    expect(finds('HOLI', 'holidays')).toBe(true)
    expect(finds('HOLI case:sensitive', 'holidays')).toBe(false)
    expect(finds('ΟΔΟΣ', 'οδος.txt')).toBe(true)
  })

  it('is found in whatever form of Unicode the disk has it', () => {
    expect(finds('café', 'cafe\u0301.txt')).toBe(true)
    expect(finds('cafe\u0301 case:sensitive', 'café.txt')).toBe(true)
  })

  it('is of a type by its extension in any case; folders are of none', () => {
    expect(finds('type:image', 'a.JPG')).toBe(true)
    expect(finds('type:pdf', 'a.PDF')).toBe(true)
    expect(finds('type:tar.gz', 'a.TAR.gz')).toBe(true)
    expect(finds('type:music', 'a.mp3')).toBe(true)
    expect(finds('type:image type:video', 'a.mkv')).toBe(true)
    expect(finds('type:image', 'a.mkv')).toBe(false)
    expect(finds('type:image', 'album.jpg', true)).toBe(false)
  })

  it('is found by nothing at all, as everything is', () => {
    expect(finds('', 'a')).toBe(true)
  })

  it('shows where it was found, overlaps as one', () => {
    expect(marksIn('Banana.txt', parseQuery('ana nan txt'))).toEqual([
      [1, 5],
      [7, 10],
    ])
    expect(marksIn('İstanbul', parseQuery('stan'))).toEqual([])
  })
})
