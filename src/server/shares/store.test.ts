import { describe, expect, it } from 'bun:test'
import { isObjectOf } from './store.ts'

describe('what a link names', () => {
  it('is the node of its identity, also while a save is on its way', () => {
    expect(isObjectOf({ identity: '1:20:300' }, '1:20:300')).toBe(true)
    expect(isObjectOf({ identity: '1:20:300 1:21:400' }, '1:21:400')).toBe(true)
    expect(isObjectOf({ identity: '1:20:300' }, null)).toBe(false)
  })

  it('is it still when its disk is mounted under another number', () => {
    expect(isObjectOf({ identity: '46:20:300' }, '49:20:300')).toBe(true)
    expect(isObjectOf({ identity: '46:1:2 46:20:300' }, '49:20:300')).toBe(true)
  })

  it('is no newcomer: neither one with its number, nor one of another disk that knows no times of birth (GHSA-r6pg-pg54-rcr5)', () => {
    for (const found of ['46:20:301', '46:21:300', '49:21:300', 'memory:20'])
      expect(isObjectOf({ identity: '46:20:300' }, found)).toBe(false)
    expect(isObjectOf({ identity: '46:20:0' }, '49:20:0')).toBe(false)
    expect(isObjectOf({ identity: '46:20:0' }, '46:20:0')).toBe(true)
  })
})
