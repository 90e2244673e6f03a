/** Directions of the arrow keys on screen, independent of the reading direction. */
const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
/** Weight of sideways distance. */
const ASIDE = 2

export interface Placed {
  getBoundingClientRect: () => Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>
}

/** The tile that a key moves to: the nearest in the direction of an arrow, the first, or the last; null if there is none. */
export function nearest(tiles: readonly Placed[], from: number, key: string): number | null {
  if (key === 'Home') return tiles.length > 0 ? 0 : null
  if (key === 'End') return tiles.length > 0 ? tiles.length - 1 : null
  const arrow = ARROWS[key]
  const start = tiles[from]?.getBoundingClientRect()
  if (arrow === undefined || start === undefined) return null
  const [x, y] = arrow
  let best: number | null = null
  let least = Number.POSITIVE_INFINITY
  for (const [index, tile] of tiles.entries()) {
    const box = tile.getBoundingClientRect()
    // Distance between edges ahead; sideways distance only if the tiles do not overlap.
    const ahead = x > 0 ? box.left - start.right : x < 0 ? start.left - box.right : y > 0 ? box.top - start.bottom : start.top - box.bottom
    const aside = x === 0 ? gap(start.left, start.right, box.left, box.right) : gap(start.top, start.bottom, box.top, box.bottom)
    const distance = Math.max(0, ahead) + ASIDE * aside
    if (index === from || ahead < -1 || distance >= least) continue
    best = index
    least = distance
  }
  return best
}

/** Distance of two intervals; 0 if they overlap. */
function gap(from: number, to: number, otherFrom: number, otherTo: number): number {
  return Math.max(0, otherFrom - to, from - otherTo)
}
