import { describe, expect, it } from 'bun:test'
import { isSet, matches, shownClaims, valuesOf } from './claims.ts'

describe('the values of a claim', () => {
  it('are texts, single or several, in a record too; a claim of exactly that name counts first', () => {
    const claims = { sub: 'x', n: 7, groups: ['a', 'b', null, { a: 1 }], realm: { roles: ['r'] }, 'realm.roles': 'exact' }
    expect(['sub', 'n', 'groups', 'realm.roles', 'realm', 'none', 'sub.length'].map((name) => valuesOf(claims, name))).toEqual([
      ['x'],
      ['7'],
      ['a', 'b'],
      ['exact'],
      [],
      [],
      [],
    ])
    expect(valuesOf({ realm: { roles: ['r'] } }, 'realm.roles')).toEqual(['r'])
  })

  it('are never those of a prototype', () => {
    for (const name of ['constructor', 'constructor.name', '__proto__', 'toString', 'a.constructor.name'])
      expect(valuesOf({ a: {} }, name)).toEqual([])
  })
})

describe('a rule', () => {
  it('says something only with a claim and values', () => {
    expect([isSet({ claim: '', values: ['x'] }), isSet({ claim: 'x', values: [] }), isSet({ claim: 'x', values: ['y'] })]).toEqual([
      false,
      false,
      true,
    ])
  })

  it('compares whole values', () => {
    const rule = { claim: 'groups', values: ['admins'] }
    expect([['admins'], ['Admins'], ['admins2'], 'admins', ['x,admins'], undefined].map((groups) => matches({ groups }, rule))).toEqual([
      true,
      false,
      false,
      true,
      false,
      false,
    ])
  })
})

it('a trial shows claims with long values cut, and no technical ones', () => {
  expect(shownClaims({ sub: 'x', nonce: 'n', exp: 1, list: ['a'], long: 'y'.repeat(80) })).toEqual([
    { name: 'sub', value: 'x' },
    { name: 'list', value: '["a"]' },
    { name: 'long', value: `${'y'.repeat(60)}…` },
  ])
})
