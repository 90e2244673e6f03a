import { describe, expect, it } from 'bun:test'
import { Text } from '@codemirror/state'
import { parseTextRange } from '../../../data/text-range.ts'
import { isColourable, lineEndOf, MAX_COLOURED_BYTES, MAX_COLOURED_LINE, rangeOf, splitMark } from './code-view.ts'

describe('colouring a text', () => {
  it('is left to those that are not huge', () => {
    expect(isColourable('const a = 1\n'.repeat(1000))).toBe(true)
    expect(isColourable('')).toBe(true)
    expect(isColourable('a\n'.repeat(MAX_COLOURED_BYTES))).toBe(false)
  })

  it('is not tried where one line is very long, also the last one', () => {
    expect(isColourable(`a\n${'x'.repeat(MAX_COLOURED_LINE + 1)}\nb`)).toBe(false)
    expect(isColourable(`a\n${'x'.repeat(MAX_COLOURED_LINE + 1)}`)).toBe(false)
    expect(isColourable(`a\n${'x'.repeat(MAX_COLOURED_LINE)}`)).toBe(true)
  })
})

it('takes a byte order mark off the text, and knows it again', () => {
  expect(splitMark('\uFEFFa')).toEqual({ mark: '\uFEFF', body: 'a' })
  expect(splitMark('a\uFEFF')).toEqual({ mark: '', body: 'a\uFEFF' })
  expect(splitMark('')).toEqual({ mark: '', body: '' })
})

it('finds the stretch that an address names, as far as the text still goes', () => {
  const text = Text.of(['one', 'two needles', '', 'four'])
  const named = (fragment: string) => {
    const spot = parseTextRange(fragment)
    if (spot === null) throw new Error(`${fragment} names nothing`)
    const { from, to } = rangeOf(text, spot)
    return text.sliceString(from, to)
  }
  expect(named('#L2C5-L2C11')).toBe('needle')
  expect(named('#L2')).toBe('two needles')
  expect(named('#L2-L4')).toBe('two needles\n\nfour')
  expect(named('#L2C5-L2C900')).toBe('needles')
  expect(named('#L2C5-L2C1')).toBe('')
  expect(named('#L0-L900')).toBe('one\ntwo needles\n\nfour')
})

it('keeps the line ends that a text came with', () => {
  expect(lineEndOf('a\r\nb\r\n')).toBe('\r\n')
  expect(lineEndOf('a\nb')).toBe('\n')
  expect(lineEndOf('a\r\nb\nc')).toBe('\n')
  expect(lineEndOf('')).toBe('\n')
})
