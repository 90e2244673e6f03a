import { describe, expect, it } from 'bun:test'
import { decidingRule } from '../../shared/rules.ts'
import { moved, NEW_RULE, previewRules, textOf, withKind, withText } from './rules.ts'

const [A, B, C] = ['/a', '/b', '/c'].map((path) => ({ ...NEW_RULE, path }))
const RULES = [A, B, C].filter((rule) => rule !== undefined)

describe('a rule in the editor', () => {
  it('keeps its words when it becomes a pattern, and back', () => {
    const path = withText(NEW_RULE, '/docs')
    const pattern = withKind(path, true)
    expect(pattern).toEqual({ regex: true, allow: false, path: '', regexp: { raw: '/docs' } })
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

describe('U2: an access rule says what it does before it is saved', () => {
  const deny = (path: string) => withText(NEW_RULE, path)
  const allow = (path: string) => ({ ...deny(path), allow: true })
  const PLACES = ['/docs', '/photos', '/secret']
  const outcome = (...rules: ReturnType<typeof deny>[]) => previewRules(rules, PLACES, decidingRule)

  it('a new one denies as soon as it names something', () => {
    expect(NEW_RULE.allow).toBe(false)
    expect(outcome(deny('/secret'))).toEqual({ seen: ['/docs', '/photos'], hidden: ['/secret'] })
    expect(outcome(deny('secret/'))).toEqual({ seen: ['/docs', '/photos'], hidden: ['/secret'] })
  })

  it('and nothing while it is blank', () => {
    expect(outcome(NEW_RULE)).toEqual({ seen: PLACES, hidden: [] })
  })

  it('names places that are not looked at, and the last rule decides', () => {
    expect(outcome(deny('/'), allow('/docs'), deny('/docs/private'))).toEqual({
      seen: ['/docs'],
      hidden: ['/', '/docs/private', '/photos', '/secret'],
    })
  })

  it('a pattern is tried on what is there', () => {
    expect(outcome(withText(withKind(NEW_RULE, true), '^/s'))).toEqual({ seen: ['/docs', '/photos'], hidden: ['/secret'] })
  })
})
