import { expect, it } from 'bun:test'
import { stateOf } from './new-password.ts'

it('knows empty, equal and different passwords', () => {
  expect(stateOf({ password: '', confirmation: '' })).toBe('empty')
  expect(stateOf({ password: 'a b', confirmation: 'a b' })).toBe('equal')
  expect(stateOf({ password: 'a', confirmation: '' })).toBe('different')
  expect(stateOf({ password: '', confirmation: 'a' })).toBe('different')
  expect(stateOf({ password: 'a', confirmation: 'a ' })).toBe('different')
})
