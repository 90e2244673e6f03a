import { describe, expect, it } from 'bun:test'
import { squarify } from './squarify.ts'

const WEIGHTS = [[6, 6, 4, 3, 2, 2, 1], [1], [5, 5], [1e12, 3, 1], Array.from({ length: 60 }, (_, at) => 1000 / (at + 1) ** 2)]

describe('a treemap', () => {
  it('gives each weight its share of the area, and fills the rectangle without overlap', () => {
    for (const weights of WEIGHTS)
      for (const aspect of [0.4, 1, 2.6]) {
        const sum = weights.reduce((all, weight) => all + weight, 0)
        const tiles = squarify(weights, aspect)
        expect(tiles).toHaveLength(weights.length)
        for (const [at, { x, y, width, height }] of tiles.entries()) {
          expect(width * height).toBeCloseTo((weights[at] ?? 0) / sum, 9)
          for (const edge of [x, y, x + width, y + height]) expect(edge > -1e-9 && edge < 1 + 1e-9).toBe(true)
        }
        for (const [at, one] of tiles.entries()) for (const other of tiles.slice(at + 1)) expect(overlap(one, other)).toBeLessThan(1e-9)
      }
  })

  it('has nearly square tiles if the weights allow it', () => {
    const aspect = 6 / 4
    const ratios = squarify([6, 6, 4, 3, 2, 2, 1], aspect).map(({ width, height }) => (width * aspect) / height)
    // What the paper arrives at for these weights in a rectangle of 6 by 4.
    expect(Math.max(...ratios.map((ratio) => Math.max(ratio, 1 / ratio)))).toBeLessThan(3)
  })

  it('is empty without weights', () => {
    expect(squarify([], 1)).toEqual([])
  })
})

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function overlap(a: Box, b: Box): number {
  const along = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const across = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return along > 0 && across > 0 ? along * across : 0
}
