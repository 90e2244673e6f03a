import { describe, expect, it } from 'bun:test'
import { fit } from './use-overflow.ts'

describe('U3: what fits into a bar', () => {
  it('is everything where there is room', () => {
    expect([...fit([100, 100, 100], [0, 2, 1], 300)]).toEqual([0, 2, 1])
  })

  it('is what matters most where there is not', () => {
    expect([...fit([100, 120, 100], [0, 2, 1], 250)]).toEqual([0, 2])
  })

  it('does not pass over what matters more', () => {
    expect([...fit([100, 200, 10], [0, 1, 2], 150)]).toEqual([0])
  })

  it('is nothing where there is no room at all', () => {
    expect(fit([40], [0], 39).size).toBe(0)
  })
})
