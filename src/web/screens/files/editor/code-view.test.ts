import { describe, expect, it } from 'bun:test'
import { isColourable, lineEndOf, MAX_COLOURED_BYTES, MAX_COLOURED_LINE, splitMark } from './code-view.ts'

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

it('keeps the line ends that a text came with', () => {
  expect(lineEndOf('a\r\nb\r\n')).toBe('\r\n')
  expect(lineEndOf('a\nb')).toBe('\n')
  expect(lineEndOf('a\r\nb\nc')).toBe('\n')
  expect(lineEndOf('')).toBe('\n')
})
