import * as fc from 'fast-check'
import { expect } from 'bun:test'
import { match } from '../../src/server/search/content/match.ts'
import { marksIn } from '../../src/shared/search-marks.ts'
import { formOf, matcherOf, parseQuery, printQuery } from '../../src/shared/search-query.ts'
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
    'content:',
    'content:a',
    '-content:"a b"',
    'content:"',
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

  property(
    'a text is found by any part of itself, and what is shown of it holds what was looked for',
    300,
    fc.tuple(oddText(40), fc.nat(200), fc.nat(20), fc.boolean()),
    ([odd, from, length, sensitive]) => {
      const bytes = new TextEncoder().encode(odd.replaceAll(/[\0\ufeff]/g, '').replaceAll('|', '\n'))
      const form = formOf({ sensitive })
      const letters = Array.from(form(new TextDecoder().decode(bytes)))
      const word = letters
        .slice(from % (letters.length + 1))
        .slice(0, length + 1)
        .join('')
      if (word === '') return
      const [snippets] = found(bytes, { words: [word], not: [], sensitive })
      expect(snippets?.length).toBeGreaterThan(0)
      const isInOneLine = !word.includes('\n')
      for (const { text, marks } of snippets ?? [])
        for (const [start, end] of marks) expect(!isInOneLine || form(text.slice(start, end)).includes(form(word))).toBe(true)
      expect(found(bytes, { words: [], not: [word], sensitive })).toEqual([null])
    },
  ),

  property(
    'bytes of whatever kind are looked into without a failure',
    300,
    fc.tuple(fc.uint8Array({ maxLength: 200 }), oddText(2)),
    ([bytes, word]) => {
      expect(found(bytes, { words: [word === '' ? 'a' : word], not: [], sensitive: false })).toHaveLength(1)
    },
  ),
]

function found(bytes: Uint8Array, wanted: Parameters<typeof match>[0]['wanted']) {
  return match({ names: 'a.txt', bytes, sizes: Int32Array.of(bytes.length), kind: 'files', wanted })
}

function file(name: string) {
  return { name, kind: 'file', size: 1, modified: 0 } as const
}
