import { expect, it } from 'bun:test'
import { parseQuery, printQuery } from '../../../../shared/search-query.ts'
import { inContents, isFiltering, NO_FILTERS, queryText, SIZES, TIMES, TYPES, toggled } from './filters.ts'

const NOW = new Date()

it('what is chosen beside the field asks the same as if it had been typed', () => {
  for (const time of TIMES) {
    for (const size of SIZES) {
      const { types, times, sizes, words } = parseQuery(queryText('"a b', { types: TYPES, time, size }), NOW)
      expect({ words, types, times: times.length, sizes: sizes.length }).toEqual({
        words: ['a b'],
        types: [...TYPES],
        times: time === '' ? 0 : 1,
        sizes: size === '' ? 0 : 1,
      })
    }
  }
})

it('a minus means "not" beside something that is chosen', () => {
  expect(parseQuery(queryText('-draft', NO_FILTERS), NOW).words).toEqual(['-draft'])
  expect(parseQuery(queryText('-draft', { ...NO_FILTERS, types: ['image'] }), NOW).not.words).toEqual(['draft'])
})

it('words are looked for in contents as they are in names, unless the query says what it looks for there', () => {
  const asked = (text: string) => {
    const query = inContents(parseQuery(text, NOW))
    return query && parseQuery(printQuery(query), NOW)
  }
  expect(asked('a "b c" -d type:pdf')).toMatchObject({
    words: [],
    contents: ['a', 'b c'],
    types: ['pdf'],
    not: { words: ['d'], contents: [] },
  })
  expect(asked('-a -b')?.contents).toEqual(['-a', '-b'])
  expect([asked('type:pdf'), asked('a content:b'), asked('a -content:b')]).toEqual([null, null, null])
})

it('a type is pressed and let go', () => {
  expect(toggled(['pdf'], 'image')).toEqual(['pdf', 'image'])
  expect(toggled(['pdf', 'image'], 'pdf')).toEqual(['image'])
  expect([isFiltering(NO_FILTERS), isFiltering({ ...NO_FILTERS, size: '<1mb' })]).toEqual([false, true])
})
