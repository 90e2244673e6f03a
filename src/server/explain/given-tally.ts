import type { GivenExample, GivenSide } from '../../shared/contract/explain.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import type { Share } from '../shares/store.ts'
import type { Eyes, Side } from './compare.ts'
import { bitsOf, type Eye, reachOf } from './difference.ts'

/** Links and shares with people, by their owners. */
export interface Given {
  /** Everybody who has given some. */
  readonly owners: () => Promise<ReadonlySet<number>>
  /** Those of one owner that have not ended and lead somewhere. */
  readonly of: (userId: number) => Promise<readonly Share[]>
}

interface GivenOptions {
  readonly given: Given
  /** The path of a place as the administrator who asks sees it; null if they do not. */
  readonly shown: (place: FilePath) => FilePath | null
  /** How many are told on each side. */
  readonly examples: number
  readonly signal: AbortSignal
}

/** A link or share shows what its owner sees and may share, and nothing else. */
const GIVES = bitsOf(['see', 'share'])

/** Counts the links and shares with people that a change would open and close, because their owners could give them then or could not any more. */
export async function createGivenTally({ given, shown, examples, signal }: GivenOptions) {
  const owners = await given.owners()
  const told: Record<Side, GivenSide> = { opens: nothing(), closes: nothing() }
  const pause = periodicYield(signal)

  function count(side: Side, owner: string, { place, folder, recipient }: Share): void {
    const kind: GivenExample['kind'] = recipient === '' ? 'link' : 'share'
    told[side][kind === 'link' ? 'links' : 'shares'] += 1
    const path = shown(place)
    if (path !== null && told[side].given.length < examples) told[side].given.push({ kind, owner, path, folder })
  }

  return {
    told: told as Readonly<Record<Side, GivenSide>>,
    hasAny: (userId: number): boolean => owners.has(userId),
    async add({ id, username }: { readonly id: number; readonly username: string }, { before, after }: Eyes): Promise<void> {
      for (const share of await given.of(id)) {
        await pause()
        const [was, willBe] = [gives(before, share.place), gives(after, share.place)]
        if (was !== willBe) count(willBe ? 'opens' : 'closes', username, share)
      }
    },
  }
}

function gives(owner: Eye | null, place: FilePath): boolean {
  return (reachOf(owner, place) & GIVES) === GIVES
}

function nothing(): GivenSide {
  return { links: 0, shares: 0, given: [] }
}
