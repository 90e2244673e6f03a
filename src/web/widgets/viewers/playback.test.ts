import { describe, expect, it } from 'bun:test'
import { failureOf } from './playback.ts'

describe('U8: what a player says', () => {
  it('tells a lost connection from a file that no browser plays', () => {
    expect([2, 3, 4].map((code) => failureOf({ code }))).toEqual(['interrupted', 'unplayable', 'unplayable'])
    expect(failureOf(null)).toBe('unplayable')
  })
})
