import * as fc from 'fast-check'
import { expect } from 'bun:test'
import { marksIn, matcherOf, parseQuery, printQuery } from '../../src/shared/search-query.ts'
import { oddText, property } from './property.ts'

const item = fc.oneof(
  fc.constantFrom(
    'type:pdf',
    'TYPE:',
    'type:tar.gz',
    'case:sensitive',
    'case:x',
    '"',
    '" "',
    '-',
    '-ext:a,b',
    'size:>1kb',
    'modified:<7d',
    'İ',
    'ß',
  ),
  oddText(4),
)
const NOW = new Date('2026-11-22T12:00:00Z')
const NAMED = parseQuery('case:sensitive', NOW)
const query = fc.array(item, { maxLength: 6 }).map((items) => items.join(' '))

export const SEARCHES = [
  property('every text is a query, which means the same when it is written down and read again', 500, query, (text) => {
    const read = parseQuery(text, NOW)
    expect(parseQuery(printQuery(read), NOW)).toEqual(read)
    expect(read.words.every((word) => word !== '')).toBe(true)
  }),

  property(
    'a name is found by any part of itself, and what is marked in it lies in it',
    500,
    fc.tuple(oddText(8), fc.nat(20), fc.nat(20), query),
    ([name, from, length, text]) => {
      // A letter is its composed form: without its accent it is another one.
      const letters = [...name.normalize('NFC')]
      const word = letters
        .slice(from % (letters.length + 1))
        .slice(0, length + 1)
        .join('')
      if (word !== '') expect(matcherOf({ ...NAMED, words: [word] }).finds(file(name))).toBe(true)
      const read = parseQuery(text, NOW)
      expect(typeof matcherOf(read).finds(file(name))).toBe('boolean')
      for (const [start, end] of marksIn(name, read)) expect(start >= 0 && start < end && end <= name.length).toBe(true)
    },
  ),
]

function file(name: string) {
  return { name, kind: 'file', size: 1, modified: 0 } as const
}
