import { expect, it } from 'bun:test'
import fc from 'fast-check'
import { formOf } from '../../../shared/search-query.ts'
import { prefilterFor } from './prefilter.ts'

const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom('\u212a', 'İ', 'I\u0307', '\u037e', '\u1fef', 'é', 'e\u0301', 'Å', 'ſ', 'k', 'K', 'i', '.', '\\', 'a'),
      fc.string(),
    ),
  )
  .map((parts) => parts.join(''))

it('skips no text that contains the words', () => {
  fc.assert(
    fc.property(texts, fc.nat(), fc.nat(30), fc.boolean(), (text, at, length, sensitive) => {
      const formed = formOf({ sensitive })(text)
      const start = at % (formed.length + 1)
      const word = formed.slice(start, start + length)
      // Half of a pair is nobody's word.
      if (word === '' || !word.isWellFormed() || !formOf({ sensitive })(text).includes(formOf({ sensitive })(word))) return
      expect(prefilterFor({ words: [word], sensitive })(new TextEncoder().encode(text))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

it('skips texts that cannot contain all words', () => {
  const prefilter = (text: string, words: string[], sensitive = false) => prefilterFor({ words, sensitive })(new TextEncoder().encode(text))
  expect([prefilter('A Needle.', ['needle', 'a ']), prefilter('a nedle', ['needle']), prefilter('a needle', ['needle', 'x'])]).toEqual([
    true,
    false,
    false,
  ])
  expect([prefilter('Needle', ['needle'], true), prefilter('Needle', ['Needle'], true)]).toEqual([false, true])
  expect([prefilter('a.b', ['a.b']), prefilter('axb', ['a.b']), prefilter('x', ['針']), prefilter('', [])]).toEqual([
    true,
    false,
    true,
    true,
  ])
})
