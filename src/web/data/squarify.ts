/** A part of the unit square; both axes from 0 to 1. */
export interface Tile {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * Divides a rectangle into tiles with areas in proportion to the weights, as square as they can be (Bruls, Huizing and van Wijk, "Squarified
 * treemaps", 2000). One tile for each weight, in their order.
 * @param weights greater than zero, the greatest first
 * @param aspect the rectangle's width divided by its height
 */
export function squarify(weights: readonly number[], aspect: number): Tile[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  // In a rectangle of the true shape and an area of 1.
  const areas = weights.map((weight) => weight / sum)
  const whole = { width: Math.sqrt(aspect), height: 1 / Math.sqrt(aspect) }
  const tiles: Tile[] = []
  let free = { x: 0, y: 0, ...whole }
  for (let from = 0; from < areas.length;) {
    const side = Math.min(free.width, free.height)
    let to = from + 1
    while (to < areas.length && worst(areas.slice(from, to + 1), side) <= worst(areas.slice(from, to), side)) to++
    free = layRow(areas.slice(from, to), free, { last: to === areas.length, tiles })
    from = to
  }
  return tiles.map(({ x, y, width, height }) => ({
    x: x / whole.width,
    y: y / whole.height,
    width: width / whole.width,
    height: height / whole.height,
  }))
}

/** The least square of the tiles of a row along a side: how many times longer than wide. */
function worst(areas: readonly number[], side: number): number {
  const sum = areas.reduce((all, area) => all + area, 0)
  const thickness = sum / side
  return Math.max(...areas.map((area) => Math.max(thickness / (area / thickness), area / thickness / thickness)))
}

/** Lays a row along the shorter side. @returns what is left */
function layRow(areas: readonly number[], free: Tile, { last, tiles }: { last: boolean; tiles: Tile[] }): Tile {
  const { x, y, width, height } = free
  const sum = areas.reduce((all, area) => all + area, 0)
  const upright = width >= height
  const [side, room] = upright ? [height, width] : [width, height]
  // The last row takes what is there, so that roundings leave no gap.
  const thickness = last ? room : Math.min(room, sum / side)
  let at = 0
  for (const area of areas) {
    const length = (side * area) / sum
    tiles.push(upright ? { x, y: y + at, width: thickness, height: length } : { x: x + at, y, width: length, height: thickness })
    at += length
  }
  return upright ? { x: x + thickness, y, width: width - thickness, height } : { x, y: y + thickness, width, height: height - thickness }
}
