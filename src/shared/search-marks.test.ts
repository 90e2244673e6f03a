import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { marksIn, placeOf } from './search-marks.ts'
import { formOf } from './search-query.ts'

/** Texts whose form has other letters than they have. */
const texts = fc
  .array(fc.constantFrom('a', 'b', 'A', 'é', 'e\u0301', 'İ', 'ß', 'Σ', 'ς', '가', '\u1100\u1161', '🎉', ' ', '\n', '\u0301', '\ud83c'))
  .map((parts) => parts.join(''))

describe('marks', () => {
  it('show where words were found, and merge overlaps', () => {
    const look = (text: string, ...words: string[]) => marksIn(text, { sensitive: false, words })
    expect(look('Banana.txt', 'ana', 'nan', 'txt')).toEqual([
      [1, 5],
      [7, 10],
    ])
    expect(look('İstanbul', 'stan')).toEqual([[1, 5]])
    expect(look('cafe\u0301s', 'CAFÉ')).toEqual([[0, 5]])
    expect(look('anything', '')).toEqual([])
  })

  it('mark the searched text, whatever the text', () => {
    fc.assert(
      fc.property(texts, texts, fc.boolean(), (text, word, sensitive) => {
        // Half of a pair is nobody's word.
        fc.pre(word.isWellFormed())
        const form = formOf({ sensitive })
        for (const [start, end] of marksIn(text, { sensitive, words: [word] })) {
          expect(start).toBeLessThan(end)
          expect(form(text.slice(start, end))).toContain(form(word))
        }
      }),
    )
  })

  it('find every match, with its position in the original text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('ab', 'e\u0301', 'İ', 'x', '🎉')), (parts) => {
        const form = formOf({ sensitive: false })
        const text = parts.join('').repeat(300)
        for (const place of [0, 1, 2500, 5000, 5001].filter((one) => one < form(text).length)) {
          const at = placeOf(text, place, form)
          expect(form(text.slice(0, at)).length).toBeLessThanOrEqual(place)
          expect(form(text.slice(0, at + 3)).length).toBeGreaterThan(place)
        }
        expect(marksIn(text, { sensitive: false, words: ['x'] }).length > 0).toBe(text.includes('x'))
      }),
    )
  })
})
