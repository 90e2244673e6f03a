import { describe, expect, it } from 'bun:test'
import { largestFirst } from './largest-first.ts'

const given = (held: Record<string, number>, bytes: number) => Object.fromEntries(largestFirst(new Map(Object.entries(held)), bytes))

describe('who has to give', () => {
  it('is the largest until the next one has as much, then both', () => {
    expect(given({ a: 100, b: 20, c: 50 }, 30)).toEqual({ a: 30 })
    expect(given({ a: 100, b: 20, c: 50 }, 70)).toEqual({ a: 60, c: 10 })
    expect(given({ a: 100, b: 20, c: 50 }, 140)).toEqual({ a: 90, b: 10, c: 40 })
  })

  it('is everybody for more than there is, and nobody for nothing', () => {
    expect(given({ a: 100, b: 20 }, 500)).toEqual({ a: 100, b: 20 })
    expect(given({ a: 100, b: 20 }, 0)).toEqual({})
    expect(given({ a: 100, b: 20 }, -5)).toEqual({})
    expect(given({}, 5)).toEqual({})
  })
})
