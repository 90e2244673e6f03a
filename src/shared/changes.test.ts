import { describe, expect, it } from 'bun:test'
import { changedPlaces, clashesOf, isSame, mergeChanges } from './changes.ts'

const BASE = { signup: false, rules: [{ path: '/a' }], branding: { name: '', theme: '' } }

describe('two states of a form', () => {
  it('are compared by content', () => {
    expect(isSame(BASE, structuredClone(BASE))).toBe(true)
    expect(isSame([1, 2], [2, 1])).toBe(false)
    expect(isSame({ a: null }, { a: {} })).toBe(false)
  })

  it('differ by field; a list is one field', () => {
    const after = { signup: true, rules: [], branding: { name: 'Ours', theme: '' } }
    expect(changedPlaces(BASE, after)).toEqual(['signup', 'rules', 'branding.name'])
    expect(changedPlaces(BASE, BASE)).toEqual([])
  })
})

describe('a merge', () => {
  it('keeps changes by others', () => {
    const mine = { ...BASE, branding: { name: 'Ours', theme: '' } }
    const theirs = { ...BASE, signup: true, branding: { name: '', theme: 'dark' } }
    expect(mergeChanges(BASE, mine, theirs)).toEqual({ signup: true, rules: BASE.rules, branding: { name: 'Ours', theme: 'dark' } })
    expect(clashesOf(BASE, mine, theirs)).toEqual([])
  })

  it('reports fields that both changed, and prefers mine', () => {
    const mine = { ...BASE, signup: true, rules: [] }
    const theirs = { ...BASE, signup: true, rules: [{ path: '/b' }] }
    expect(clashesOf(BASE, mine, theirs)).toEqual(['rules'])
    expect(mergeChanges(BASE, mine, theirs).rules).toEqual([])
  })
})
