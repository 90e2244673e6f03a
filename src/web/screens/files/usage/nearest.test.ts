import { describe, expect, it } from 'bun:test'
import { nearest, type Placed } from './nearest.ts'

/** A large one at the left, two on top of each other at its right, and a column of three at the end. */
const TILES = [
  box(0, 0, 50, 100),
  box(50, 0, 80, 50),
  box(50, 50, 80, 100),
  box(80, 0, 100, 30),
  box(80, 30, 100, 60),
  box(80, 60, 100, 100),
]

describe('an arrow key in a treemap', () => {
  it('leads to the next tile in its direction', () => {
    expect(nearest(TILES, 0, 'ArrowRight')).toBe(1)
    expect(nearest(TILES, 1, 'ArrowRight')).toBe(3)
    expect(nearest(TILES, 1, 'ArrowDown')).toBe(2)
    expect(nearest(TILES, 2, 'ArrowLeft')).toBe(0)
    expect(nearest(TILES, 5, 'ArrowUp')).toBe(4)
  })

  it('leads nowhere at the edge', () => {
    expect(nearest(TILES, 0, 'ArrowLeft')).toBeNull()
    expect(nearest(TILES, 3, 'ArrowUp')).toBeNull()
    expect(nearest([], 0, 'Home')).toBeNull()
    expect(nearest(TILES, 0, 'x')).toBeNull()
  })

  it('every tile can be reached from every other', () => {
    const reached = new Set([0])
    for (const from of reached)
      for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'End']) {
        const to = nearest(TILES, from, key)
        if (to !== null) reached.add(to)
      }
    expect(reached.size).toBe(TILES.length)
  })
})

function box(left: number, top: number, right: number, bottom: number): Placed {
  return { getBoundingClientRect: () => ({ left, top, right, bottom }) }
}
