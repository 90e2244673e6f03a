import { describe, expect, it } from 'bun:test'
import type { Rule } from './contract/users.ts'
import { decidingRule } from './rules.ts'

describe('the deciding rule', () => {
  const rules: Rule[] = [path('/a', false), path('/a/b', true), pattern('\\.key$', false)]

  it('is the last one that matches', () => {
    expect(['/a/x', '/a/b/c', '/a/b/my.key', '/x'].map((one) => decidingRule(rules, one))).toEqual([0, 1, 2, -1])
  })

  it('is found in any Unicode form', () => {
    expect(decidingRule([path('/caf\u00e9', false)], '/cafe\u0301/x')).toBe(0)
  })

  it('is an invalid one only if it denies', () => {
    expect(decidingRule([pattern('(', false)], '/x')).toBe(0)
    expect(decidingRule([pattern('(', true)], '/x')).toBe(-1)
  })
})

function path(text: string, allow: boolean): Rule {
  return { regex: false, allow, path: text, regexp: null }
}

function pattern(raw: string, allow: boolean): Rule {
  return { regex: true, allow, path: '', regexp: { raw } }
}
