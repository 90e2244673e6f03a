import { describe, expect, it } from 'bun:test'
import { usernameKey, usernameProblem } from './username.ts'

describe('two usernames', () => {
  it('are equal if they differ only by case, width, composition or invisible characters (GHSA-576v-w77m-gr84)', () => {
    const pairs = [
      ['CaseVictim', 'casevictim'],
      ['\u00E9', 'e\u0301'],
      ['\uFF41nn', 'ann'],
      ['straße', 'STRASSE'],
      ['ΣΑΣ', 'σας'],
      ['an\u200Bn', 'ann'],
      ['ﬁle', 'FILE'],
    ] as const
    for (const [one, other] of pairs) expect([one, usernameKey(one)]).toEqual([one, usernameKey(other)])
  })

  it('are different otherwise', () => {
    const keys = ['team/x', 'team-x', 'ann', 'anna', 'ann.', 'öl', 'ol'].map(usernameKey)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('have idempotent keys', () => {
    for (const name of ['İstanbul', 'ŉ', 'ΐ', 'Å', 'ǅ', 'ᾳ']) expect(usernameKey(usernameKey(name))).toBe(usernameKey(name))
  })
})

describe('a new username', () => {
  it('can have any visible characters', () => {
    for (const name of ['ann', 'Ann O’Hara', 'team/x', '..', '🚀', '日本']) expect(usernameProblem(name)).toBeNull()
  })

  it('is not empty, too long, padded or partly invisible', () => {
    expect(['', ' ', 'x'.repeat(256), ' ann', 'ann\n', 'an\u200Bn', 'a\0b', 'a\u202Eb', '\uD800'].map(usernameProblem)).not.toContain(null)
  })
})
