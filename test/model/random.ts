/** A sequence of random numbers that a seed determines (mulberry32). */
export interface Random {
  /** From 0, below `end`. */
  below(end: number): number
  /** Undefined only for an empty list. */
  one<T>(all: readonly T[]): T | undefined
  chance(share: number): boolean
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number): number => Math.floor(next() * end)
  return { below, one: (all) => all[below(all.length)], chance: (share) => next() < share }
}
