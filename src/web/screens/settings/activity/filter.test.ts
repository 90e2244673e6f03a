import { expect, it } from 'bun:test'
import { NO_FILTER, filterOf } from './filter.ts'

it('leaves out empty fields', () => {
  expect(filterOf(NO_FILTER)).toEqual({})
  expect(filterOf({ ...NO_FILTER, who: '  ', text: ' ann ' })).toEqual({ text: 'ann' })
})

it('covers whole days in local time, the last one included', () => {
  const { since, until } = filterOf({ ...NO_FILTER, since: '2026-11-21', until: '2026-11-21' })
  expect(new Date(Number(since)).getHours()).toBe(0)
  expect(new Date(Number(until)).getDate()).toBe(22)
  expect(filterOf({ ...NO_FILTER, since: '21.11.2026', until: '0001-01-01' })).toEqual({})
})
