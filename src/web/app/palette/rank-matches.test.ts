import { describe, expect, it } from 'bun:test'
import { rankMatches, createNameMatcher } from './rank-matches.ts'

describe('palette matches', () => {
  const entries = [{ text: 'New folder' }, { text: 'Rename' }, { text: 'Dark', also: 'Theme' }, { text: 'Old name' }, { text: 'Unnamed' }]
  const texts = (typed: string, most = 10) => rankMatches(entries, typed, most).map(({ text }) => text)

  it('are all entries in their order while nothing is typed', () => {
    expect(texts('  ', 2)).toEqual(['New folder', 'Rename'])
  })

  it('contain every word in any case, prefixes first', () => {
    expect(texts('NAME')).toEqual(['Old name', 'Rename', 'Unnamed'])
    expect(texts('fold new')).toEqual(['New folder'])
    expect(texts('new name')).toEqual([])
  })

  it('also match by group', () => {
    expect(texts('theme da')).toEqual(['Dark'])
  })

  it('are limited in number', () => {
    const chosen = createNameMatcher(['b plan', 'Plan', 'other', 'airplane'])
    expect(chosen('plan', 2)).toEqual([1, 0])
    expect(chosen('', 5)).toEqual([])
  })
})
