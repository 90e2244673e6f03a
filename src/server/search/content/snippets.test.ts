import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { SNIPPET_CHARS, SNIPPETS } from '../../../shared/limits.ts'
import { formOf } from '../../../shared/search-query.ts'
import { snippetsIn } from './snippets.ts'

describe('snippets of a text', () => {
  it('are the first lines with a word, with their numbers, trimmed', () => {
    expect(look('one\r\n\t Two needles  \r\nthree\nneedle', 'needle')).toEqual(['2: Two [needle]s', '4: [needle]'])
  })

  it('are empty if a word is missing or an excluded word is found', () => {
    expect(look('a b', 'a', 'c')).toBeNull()
    expect(snippetsIn('a b', { words: ['a'], not: ['B'], sensitive: false }, 'line')).toBeNull()
    expect(snippetsIn('a b', { words: ['A'], not: [], sensitive: true }, 'line')).toBeNull()
    expect(snippetsIn('a b', { words: [], not: ['c'], sensitive: false }, 'line')).toEqual([])
  })

  it('show each word before they repeat one', () => {
    expect(look('x\nx\nx\nx\ny\nx', 'x', 'y')).toEqual(['1: [x]', '2: [x]', '5: [y]'])
  })

  it('ignore case and Unicode form, and mark the original text', () => {
    expect(look('İİ\nİ cafe\u0301 ΟΔΟΣ', 'CAFÉ', 'οδος')).toEqual(['2: İ [cafe\u0301] [ΟΔΟΣ]'])
  })

  it('give the position of the word in the whole line', () => {
    const line = `${' '.repeat(3000)}İ Needle`
    const place = (unit: 'line' | 'page') =>
      snippetsIn(`x\n${line}`, { words: ['needle'], not: [], sensitive: false }, unit)?.[0]?.place ?? null
    expect(line.slice(...(place('line') ?? []))).toBe('Needle')
    expect(place('page')).toBeNull()
    expect(snippetsIn('İ', { words: ['i'], not: [], sensitive: false }, 'line')?.[0]?.place).toEqual([0, 1])
  })

  it('cut a long line around the word', () => {
    const [shown] = look(`${'a '.repeat(200_000)}needle${' b'.repeat(5000)}`, 'needle') ?? []
    expect(shown).toStartWith('1: …a a')
    expect(shown).toEndWith('b…')
    expect(shown).toContain('[needle]')
    expect((shown ?? '').length).toBeLessThan(SNIPPET_CHARS + 20)
  })

  it('contain and mark the searched text, whatever the text', () => {
    const texts = fc.array(fc.constantFrom('a', 'B', 'é', 'e\u0301', 'İ', 'Σ', '🎉', ' ', '\t', '\r\n', '\n', 'x'.repeat(90)))
    fc.assert(
      fc.property(
        texts,
        fc.array(fc.constantFrom('a', 'b ', 'É', 'i', '🎉', 'xx'), { minLength: 1 }),
        fc.boolean(),
        (parts, words, sensitive) => {
          const text = parts.join('')
          const form = formOf({ sensitive })
          const snippets = snippetsIn(text, { words, not: [], sensitive }, 'line')
          expect(snippets !== null).toBe(words.every((word) => form(text).includes(form(word))))
          expect((snippets ?? []).length).toBeLessThanOrEqual(SNIPPETS)
          for (const { line, place, text: shown, marks } of snippets ?? []) {
            expect(marks.length).toBeGreaterThan(0)
            const whole = text.split('\n')[(line ?? 0) - 1] ?? ''
            expect(whole).toContain(shown.replaceAll('…', ''))
            expect(words.some((word) => form(whole.slice(...(place ?? []))).includes(form(word)))).toBe(true)
            for (const [start, end] of marks) expect(words.some((word) => form(shown.slice(start, end)).includes(form(word)))).toBe(true)
          }
        },
      ),
      { examples: [[['İ'], ['i'], false]] },
    )
  })
})

/** As `2: Two [needle]s`. */
function look(text: string, ...words: string[]): string[] | null {
  const snippets = snippetsIn(text, { words, not: [], sensitive: false }, 'line')
  return snippets && snippets.map(({ line, text: shown, marks }) => `${line}: ${withMarks(shown, marks)}`)
}

function withMarks(text: string, marks: readonly (readonly [number, number])[]): string {
  return marks.toReversed().reduce((all, [start, end]) => `${all.slice(0, start)}[${all.slice(start, end)}]${all.slice(end)}`, text)
}
