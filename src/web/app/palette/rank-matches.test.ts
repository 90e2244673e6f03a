import { describe, expect, it } from 'bun:test'
import { rankMatches, createNameMatcher } from './rank-matches.ts'

describe('what is called so', () => {
  const entries = [{ text: 'New folder' }, { text: 'Rename' }, { text: 'Dark', also: 'Theme' }, { text: 'Old name' }, { text: 'Unnamed' }]
  const texts = (typed: string, most = 10) => rankMatches(entries, typed, most).map(({ text }) => text)

  it('is everything as it comes, as long as nothing is typed', () => {
    expect(texts('  ', 2)).toEqual(['New folder', 'Rename'])
  })

  it('holds every word, the beginning before the inside, in any case', () => {
    expect(texts('NAME')).toEqual(['Old name', 'Rename', 'Unnamed'])
    expect(texts('fold new')).toEqual(['New folder'])
    expect(texts('new name')).toEqual([])
  })

  it('is found by what it belongs to as well', () => {
    expect(texts('theme da')).toEqual(['Dark'])
  })

  it('is some of many names', () => {
    const chosen = createNameMatcher(['b plan', 'Plan', 'other', 'airplane'])
    expect(chosen('plan', 2)).toEqual([1, 0])
    expect(chosen('', 5)).toEqual([])
  })
})
