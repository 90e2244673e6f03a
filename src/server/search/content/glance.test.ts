import { expect, it } from 'bun:test'
import fc from 'fast-check'
import { formOf } from '../../../shared/search-query.ts'
import { glanceFor } from './glance.ts'

const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom('\u212a', 'İ', 'I\u0307', '\u037e', '\u1fef', 'é', 'e\u0301', 'Å', 'ſ', 'k', 'K', 'i', '.', '\\', 'a'),
      fc.string(),
    ),
  )
  .map((parts) => parts.join(''))

it('passes over no text that holds the words', () => {
  fc.assert(
    fc.property(texts, fc.nat(), fc.nat(30), fc.boolean(), (text, at, length, sensitive) => {
      const formed = formOf({ sensitive })(text)
      const start = at % (formed.length + 1)
      const word = formed.slice(start, start + length)
      // Half of a pair is nobody's word.
      if (word === '' || !word.isWellFormed() || !formOf({ sensitive })(text).includes(formOf({ sensitive })(word))) return
      expect(glanceFor({ words: [word], sensitive })(new TextEncoder().encode(text))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

it('passes over what cannot hold all of them', () => {
  const glance = (text: string, words: string[], sensitive = false) => glanceFor({ words, sensitive })(new TextEncoder().encode(text))
  expect([glance('A Needle.', ['needle', 'a ']), glance('a nedle', ['needle']), glance('a needle', ['needle', 'x'])]).toEqual([
    true,
    false,
    false,
  ])
  expect([glance('Needle', ['needle'], true), glance('Needle', ['Needle'], true)]).toEqual([false, true])
  expect([glance('a.b', ['a.b']), glance('axb', ['a.b']), glance('x', ['針']), glance('', [])]).toEqual([true, false, true, true])
})
