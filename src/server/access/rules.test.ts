import { describe, expect, it } from 'bun:test'
import * as fc from 'fast-check'
import type { Rule } from '../../shared/contract/users.ts'
import { type FilePath, parseFilePath as at } from '../../shared/file-path.ts'
import { checkRule, MAX_RULE_PATTERN_CHARS } from '../../shared/rules.ts'
import { compileRules } from './rules.ts'

describe('path rules', () => {
  it('allow everything if there are none', () => {
    const rules = compileRules([], [], { hideDotfiles: false })
    expect(rules.empty).toBe(true)
    fc.assert(fc.property(paths(), (path) => rules.allows(path)))
  })

  it('match a node and everything below it', () => {
    const rules = denying('/docs/s')
    expect(seen(rules, '/docs/s', '/docs/s/x', '/docs/s/x/y')).toEqual([])
    expect(seen(rules, '/', '/docs', '/docs/sub', '/docs-old', '/x/docs/s')).toEqual(['/', '/docs', '/docs/sub', '/docs-old', '/x/docs/s'])
  })

  it('never match a part of a name (GHSA-5q48-q4fm-g3m6)', () => {
    fc.assert(
      fc.property(paths(), names(), (denied, rest) => {
        fc.pre(denied !== at('/'))
        const rules = denying(denied)
        expect(rules.allows(at(`${denied}${rest}`))).toBe(true)
        expect(rules.allows(at(`${denied}/${rest}`))).toBe(false)
        expect(rules.allows(denied)).toBe(false)
      }),
    )
  })

  it('match everything if the path is a slash', () => {
    expect(seen(denying('/'), '/', '/a', '/a/b')).toEqual([])
  })

  it('apply the last match, with the user’s own rules after the global ones', () => {
    const global = [rule({ allow: false, path: '/a' })]
    const own = [rule({ allow: true, path: '/a/b' }), rule({ allow: false, path: '/a/b/c' })]
    const rules = compileRules(global, own, { hideDotfiles: false })
    expect(seen(rules, '/a', '/a/x', '/a/b', '/a/b/y', '/a/b/c', '/a/b/c/z')).toEqual(['/a/b', '/a/b/y'])
    expect(compileRules(own, global, { hideDotfiles: false }).allows(at('/a/b'))).toBe(false)
  })

  it('are relative to the scope, however they are written', () => {
    for (const path of ['docs', '/docs', '/docs/', '//docs', '/./docs'])
      expect(seen(denying(path), '/docs', '/docs/x', '/x')).toEqual(['/x'])
  })

  it('match nothing when blank', () => {
    expect(denying('').allows(at('/a'))).toBe(true)
  })

  it('match the other Unicode normal form (I3)', () => {
    expect(seen(denying('/caf\u00e9'), '/cafe\u0301', '/cafe\u0301/x', '/cafe')).toEqual(['/cafe'])
    expect(seen(denying('/cafe\u0301'), '/caf\u00e9')).toEqual([])
  })

  it('never deny if all of them allow', () => {
    const rules = compileRules([rule({ allow: true, path: '/a' })], [], { hideDotfiles: false })
    expect(rules).toMatchObject({ empty: true, neverDenies: true })
  })
})

describe('pattern rules', () => {
  it('match anywhere in the path, in either Unicode form, case-sensitively', () => {
    expect(seen(matching('\\.bak$'), '/a.bak', '/x/b.bak', '/a.BAK')).toEqual(['/a.BAK'])
    expect(seen(matching('(?i)caf\u00e9'), '/x/CAFE\u0301/y')).toEqual([])
    expect(seen(matching('^/a$'), '/a', '/ab', '/b/a')).toEqual(['/ab', '/b/a'])
  })

  it('A17: deny a folder with its content, even if the pattern matches only the folder', () => {
    expect(seen(matching('/secret$'), '/secret', '/secret/a', '/secret/a/b', '/x/secret/a', '/secrets/a')).toEqual(['/secrets/a'])
    expect(seen(matching('^/$'), '/', '/a', '/a/b')).toEqual([])
    const never = compileRules([pattern('/s$')], [], { hideDotfiles: false })
    for (let n = 0; n < 3000; n++) expect(never.allows(at(`/s/d${n}/x`))).toBe(false)
  })

  it('A17: the last match also wins below it: a later rule can allow a part, an earlier one cannot', () => {
    const denial = pattern('^/a$')
    const later = compileRules([denial], [rule({ allow: true, path: '/a/b' })], { hideDotfiles: false })
    expect(seen(later, '/a', '/a/x', '/a/b', '/a/b/c')).toEqual(['/a/b', '/a/b/c'])
    const earlier = compileRules([rule({ allow: true, path: '/a/b' })], [denial], { hideDotfiles: false })
    expect(seen(earlier, '/a', '/a/x', '/a/b', '/a/b/c')).toEqual([])
    // A folder that a later pattern allows by itself is not denied, and denies nothing.
    const one = compileRules([pattern('^/[^/]+$')], [rule({ regex: true, allow: true, regexp: { raw: '^/pub$' } })], {
      hideDotfiles: false,
    })
    expect(seen(one, '/pub', '/pub/x', '/other', '/other/x')).toEqual(['/pub', '/pub/x'])
  })

  it('take linear time for any pattern (A4-6)', () => {
    const rules = matching('(a+)+$')
    const path = at(`/${'a'.repeat(4000)}!`)
    const start = performance.now()
    expect(rules.allows(path)).toBe(true)
    expect(performance.now() - start).toBeLessThan(1000)
  })

  it('deny everything if a stored pattern is invalid', () => {
    expect(seen(matching('(unclosed'), '/', '/a')).toEqual([])
    const allowing = rule({ regex: true, allow: true, regexp: { raw: '(unclosed' } })
    expect(compileRules([rule({ allow: false, path: '/' })], [allowing], { hideDotfiles: false }).allows(at('/a'))).toBe(false)
  })
})

describe('hidden dotfiles', () => {
  it('are hidden with everything below them', () => {
    const rules = compileRules([], [], { hideDotfiles: true })
    expect(rules).toMatchObject({ empty: false, neverDenies: true })
    expect(seen(rules, '/', '/a.b', '/.git', '/.git/config', '/a/.b/c', '/..a', '/a../b')).toEqual(['/', '/a.b', '/a../b'])
  })

  it('cannot be allowed by a rule; a rule that denies takes precedence', () => {
    const rules = compileRules([rule({ allow: true, path: '/.a' }), rule({ allow: false, path: '/.b' })], [], { hideDotfiles: true })
    expect([rules.verdict(at('/.a')), rules.verdict(at('/.b')), rules.verdict(at('/c'))]).toEqual(['hidden', 'denied', 'shown'])
  })
})

describe('saving a rule', () => {
  it('accepts valid rules', () => {
    for (const path of ['', '/', '/a', 'a', '/a/..b', '/a b/ü']) expect(checkRule(rule({ path }))).toBeNull()
    for (const raw of ['a', '^/x/[^/]+\\.(jpg|png)$', '(?i)\\pL+', '\\bx\\b', '(a|b){1,50}']) expect(checkRule(pattern(raw))).toBeNull()
  })

  it('refuses invalid rules', () => {
    expect(checkRule(rule({ path: '/a/../b' }))).toContain('path')
    expect(checkRule(rule({ path: '/a\0' }))).toContain('path')
    expect(checkRule(rule({ path: `/${'x'.repeat(5000)}` }))).toContain('longer')
    for (const raw of ['', '(a', '(?=a)', '(a)\\1', 'a{1001}', 'x**', '[z-a]']) expect(checkRule(pattern(raw))).toContain('regexp')
    expect(checkRule(pattern('a'.repeat(MAX_RULE_PATTERN_CHARS + 1)))).toContain('longer')
    expect(checkRule(pattern('(\\pL{500}\\pN{500}){1}'.repeat(10)))).toContain('too large')
    expect(checkRule(rule({ regex: true, regexp: null }))).toContain('empty')
  })
})

function rule(some: Partial<Rule>): Rule {
  return { regex: false, allow: true, path: '', regexp: null, ...some }
}

function pattern(raw: string): Rule {
  return rule({ regex: true, allow: false, regexp: { raw } })
}

function denying(path: string) {
  return compileRules([rule({ allow: false, path })], [], { hideDotfiles: false })
}

function matching(raw: string) {
  return compileRules([pattern(raw)], [], { hideDotfiles: false })
}

function seen(rules: { allows(path: FilePath): boolean }, ...all: string[]): string[] {
  return all.filter((path) => rules.allows(at(path)))
}

function names(): fc.Arbitrary<string> {
  return fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme-ascii' }).filter((name) => !/[/\0]/.test(name) && !name.startsWith('.'))
}

function paths(): fc.Arbitrary<FilePath> {
  return fc.array(names(), { maxLength: 4 }).map((segments) => at(`/${segments.join('/')}`))
}
