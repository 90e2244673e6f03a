/** A rectangle of the unit square. */
export interface Tile {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * Divides a rectangle into tiles proportional to the weights and as square as possible (Bruls, Huizing and van Wijk, "Squarified treemaps", 2000).
 * @param weights positive, descending
 * @param aspect width divided by height
 */
export function squarify(weights: readonly number[], aspect: number): Tile[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  // A rectangle with the given aspect and area 1.
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

/** Worst aspect ratio of a row of tiles along a side. */
function worst(areas: readonly number[], side: number): number {
  const sum = areas.reduce((all, area) => all + area, 0)
  const thickness = sum / side
  return Math.max(...areas.map((area) => Math.max(thickness / (area / thickness), area / thickness / thickness)))
}

/** Lays a row along the shorter side. @returns the remaining rectangle */
function layRow(areas: readonly number[], free: Tile, { last, tiles }: { last: boolean; tiles: Tile[] }): Tile {
  const { x, y, width, height } = free
  const sum = areas.reduce((all, area) => all + area, 0)
  const upright = width >= height
  const [side, room] = upright ? [height, width] : [width, height]
  // The last row fills the rest, to avoid rounding gaps.
  const thickness = last ? room : Math.min(room, sum / side)
  let at = 0
  for (const area of areas) {
    const length = (side * area) / sum
    tiles.push(upright ? { x, y: y + at, width: thickness, height: length } : { x: x + at, y, width: length, height: thickness })
    at += length
  }
  return upright ? { x: x + thickness, y, width: width - thickness, height } : { x, y: y + thickness, width, height: height - thickness }
}
