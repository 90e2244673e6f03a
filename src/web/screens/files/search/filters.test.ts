import { expect, it } from 'bun:test'
import { parseQuery } from '../../../../shared/search-query.ts'
import { isFiltering, NO_FILTERS, queryText, SIZES, TIMES, TYPES, toggled } from './filters.ts'

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

it('a type is pressed and let go', () => {
  expect(toggled(['pdf'], 'image')).toEqual(['pdf', 'image'])
  expect(toggled(['pdf', 'image'], 'pdf')).toEqual(['image'])
  expect([isFiltering(NO_FILTERS), isFiltering({ ...NO_FILTERS, size: '<1mb' })]).toEqual([false, true])
})
