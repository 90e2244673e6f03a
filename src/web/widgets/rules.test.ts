import { describe, expect, it } from 'bun:test'
import { moved, NEW_RULE, textOf, withKind, withText } from './rules.ts'

const [A, B, C] = ['/a', '/b', '/c'].map((path) => ({ ...NEW_RULE, path }))
const RULES = [A, B, C].filter((rule) => rule !== undefined)

describe('a rule in the editor', () => {
  it('keeps its words when it becomes a pattern, and back', () => {
    const path = withText(NEW_RULE, '/docs')
    const pattern = withKind(path, true)
    expect(pattern).toEqual({ regex: true, allow: true, path: '', regexp: { raw: '/docs' } })
    expect(withKind(pattern, false)).toEqual(path)
    expect(textOf(withText(pattern, '\\.key$'))).toBe('\\.key$')
  })

  it('moves up and down, and not beyond the ends', () => {
    expect(moved(RULES, 2, 0).map(textOf)).toEqual(['/c', '/a', '/b'])
    expect(moved(RULES, 0, 1).map(textOf)).toEqual(['/b', '/a', '/c'])
    expect(moved(RULES, 0, -1)).toEqual(RULES)
    expect(moved(RULES, 2, 3)).toEqual(RULES)
  })
})
