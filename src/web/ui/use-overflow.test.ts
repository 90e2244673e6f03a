import { describe, expect, it } from 'bun:test'
import { fit } from './use-overflow.ts'

describe('U3: the actions that fit into a bar', () => {
  it('are all if there is space', () => {
    expect([...fit([100, 100, 100], [0, 2, 1], 300)]).toEqual([0, 2, 1])
  })

  it('are the most important ones otherwise', () => {
    expect([...fit([100, 120, 100], [0, 2, 1], 250)]).toEqual([0, 2])
  })

  it('are never less important than a hidden one', () => {
    expect([...fit([100, 200, 10], [0, 1, 2], 150)]).toEqual([0])
  })

  it('are none without any space', () => {
    expect(fit([40], [0], 39).size).toBe(0)
  })
})
