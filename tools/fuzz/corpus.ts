/** An input that goes where no shorter one goes. */
interface Kept {
  readonly input: Uint8Array
  /** Features of which it is the shortest input. */
  owned: number
}

export interface Corpus {
  /** Takes the input in where it reaches something new, or something known by a shorter way. @param counts how often each branch was passed */
  offer(input: Uint8Array, counts: Uint32Array, branches: number): boolean
  /** One of those that are there; rather one of the last. */
  pick(dice: (below: number) => number): Uint8Array
  readonly size: number
  /** Branches that were reached at all. */
  reached(): number
  /** A few short inputs that together reach all of it. */
  essence(): Uint8Array[]
}

/** Once, twice, three times, up to 7, 15, 31, 127, more: what counts as another way through a branch. */
const STEPS = [1, 2, 3, 4, 8, 16, 32, 128]

export function createCorpus(): Corpus {
  const owners = new Map<number, Kept>()
  let kept: Kept[] = []

  function offer(input: Uint8Array, counts: Uint32Array, branches: number): boolean {
    const mine: number[] = []
    for (let branch = 0; branch < branches; branch++) {
      const count = counts[branch] ?? 0
      if (count === 0) continue
      let step = STEPS.length
      while ((STEPS[step - 1] ?? 0) > count) step--
      const feature = branch * 16 + step
      const owner = owners.get(feature)
      if (owner === undefined || owner.input.length > input.length) mine.push(feature)
    }
    if (mine.length === 0) return false
    const one: Kept = { input, owned: mine.length }
    let orphans = false
    for (const feature of mine) {
      const before = owners.get(feature)
      if (before !== undefined && --before.owned === 0) orphans = true
      owners.set(feature, one)
    }
    if (orphans) kept = kept.filter(({ owned }) => owned > 0)
    kept.push(one)
    return true
  }

  return {
    offer,
    pick(dice) {
      const from = dice(2) === 0 ? Math.floor(kept.length * 0.75) : 0
      return kept[from + dice(kept.length - from)]?.input ?? new Uint8Array(0)
    },
    get size() {
      return kept.length
    },
    reached: () => branchesOf(owners.keys()).size,
    essence() {
      const features = new Map<Kept, number[]>()
      for (const [feature, one] of owners) features.set(one, [...(features.get(one) ?? []), feature])
      const seen = new Set<number>()
      return [...features]
        .toSorted(([a], [b]) => a.input.length - b.input.length)
        .filter(([, own]) => {
          const before = seen.size
          for (const branch of branchesOf(own)) seen.add(branch)
          return seen.size > before
        })
        .map(([one]) => one.input)
    },
  }
}

function branchesOf(features: Iterable<number>): Set<number> {
  return new Set([...features].map((feature) => feature >> 4))
}
