import { describe, expect, it } from 'bun:test'
import { fragmentOf, pageIn, parseTextRange } from './text-range.ts'

describe('the fragment of a URL', () => {
  it('leads to the match, and can be parsed', () => {
    const fragment = fragmentOf({ line: 3, page: null, place: [4, 8] })
    expect(fragment).toBe('#L3C5-L3C9')
    expect(parseTextRange(fragment)).toEqual({ from: { line: 3, column: 5 }, to: { line: 3, column: 9 } })
    expect(fragmentOf({ line: 3, page: null, place: null })).toBe('#L3')
    expect(pageIn(fragmentOf({ line: null, page: 2, place: null }))).toBe(2)
  })

  it('can name lines only', () => {
    expect(parseTextRange('#L12')).toEqual({ from: { line: 12, column: null }, to: { line: 12, column: null } })
    expect(parseTextRange('#L3-L5')).toEqual({ from: { line: 3, column: null }, to: { line: 5, column: null } })
    expect(parseTextRange('#L3-5')).toEqual({ from: { line: 3, column: null }, to: { line: 5, column: null } })
    expect(parseTextRange('#L3C2')).toEqual({ from: { line: 3, column: 2 }, to: { line: 3, column: 2 } })
  })

  it('is null if it means something else', () => {
    for (const other of ['', '#', '#L', '#Lx', '#L3x', '#heading', `#L${'9'.repeat(30)}`, '#page=2'])
      expect(parseTextRange(other)).toBeNull()
    for (const other of ['', '#L3', '#page=2&search=x', '#page=', '#page=0']) expect(pageIn(other)).toBe(1)
  })
})
