import type { Sorting } from '../../shared/contract/users.ts'
import { orderOfNames } from '../../shared/name-order.ts'
import { createListing, isFolderAt, type Listing } from './listing.ts'

/** Rank of each name in its folder; expensive for long folders, so computed once, while idle if possible. */
const ranks = new WeakMap<readonly string[], Uint32Array>()
/** Ranks being computed by a worker. */
const coming = new WeakMap<readonly string[], Promise<void>>()
/** Below this, sorting is faster than starting a worker. */
const WORTH_A_THREAD = 5000

/** The same entries in another order, by integer comparisons; equal values are ordered by name. */
export function sortListing(listing: Listing, sorting: Sorting): Listing {
  const weighed = sorting.by === 'size' && listing.sums !== undefined
  if (listing.sorting.by === sorting.by && listing.sorting.asc === sorting.asc && !weighed) return listing
  const rank = rankOf(listing)
  const compare = comparison(listing, sorting, rank)
  const indices = Uint32Array.from(listing.order)
  const folders = indices.subarray(0, listing.numDirs)
  const files = indices.subarray(listing.numDirs)
  // Folders without known totals stay in name order.
  if (sorting.by === 'size') folders.sort((a, b) => weightOf(listing, a, b, sorting) || at(rank, a) - at(rank, b))
  else folders.sort(compare)
  files.sort(compare)
  return createListing({ ...listing, sorting }, indices)
}

/** Whether `sortListing` needs no further work, or too little to notice. */
export function isSortedSoon(listing: Listing, { by, asc }: Sorting): boolean {
  const { names, sorting } = listing
  const asServed = sorting.by === by && sorting.asc === asc && listing.sums === undefined
  return asServed || sorting.by === 'name' || names.length < WORTH_A_THREAD || ranks.has(names)
}

/** `orderOfNames` in a worker. */
export type OrderElsewhere = (names: readonly string[], folders: Uint8Array) => Promise<Uint32Array>

/** Computes name ranks when the page is idle. @returns cancels it */
export function prepareSorting(listing: Listing, elsewhere: OrderElsewhere): () => void {
  if (typeof requestIdleCallback !== 'function') return () => undefined
  const id = requestIdleCallback(() => void rankAhead(listing, elsewhere), { timeout: 10_000 })
  return () => cancelIdleCallback(id)
}

/** Computes name ranks, for long folders in a worker. Never fails: falls back to the main thread. */
export async function rankAhead(listing: Listing, elsewhere: OrderElsewhere): Promise<void> {
  const { names } = listing
  if (!coming.has(names)) coming.set(names, rankSomewhere(listing, elsewhere))
  await coming.get(names)
}

async function rankSomewhere(listing: Listing, elsewhere: OrderElsewhere): Promise<void> {
  const { names } = listing
  if (names.length >= WORTH_A_THREAD && listing.sorting.by !== 'name') {
    try {
      ranks.set(names, ranksIn(await elsewhere(names, foldersOf(listing))))
    } catch {
      // Falls through to the main thread below.
    }
  }
  rankOf(listing)
}

/** In the API, `asc: false` means A to Z; this is the order as users see it. */
export function isAscending({ by, asc }: Sorting): boolean {
  return by === 'name' ? !asc : asc
}

/** The sorting after a click on a column header: reversed if it is the current column, otherwise names from A, sizes and dates descending. */
export function nextSorting(current: Sorting, by: Sorting['by']): Sorting {
  return current.by === by ? { by, asc: !current.asc } : { by, asc: false }
}

function comparison(listing: Listing, { by, asc }: Sorting, rank: Uint32Array): (a: number, b: number) => number {
  if (by === 'name') return asc ? (a, b) => at(rank, b) - at(rank, a) : (a, b) => at(rank, a) - at(rank, b)
  const values = by === 'size' ? listing.sizes : listing.modifieds
  const sign = asc ? 1 : -1
  return (a, b) => sign * ((values[a] ?? 0) - (values[b] ?? 0)) || at(rank, a) - at(rank, b)
}

/** Folders with unknown totals come last in both directions. */
function weightOf({ sums }: Listing, a: number, b: number, { asc }: Sorting): number {
  const [one, other] = [sums?.[a], sums?.[b]]
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
  return asc ? one - other : other - one
}

function rankOf(listing: Listing): Uint32Array {
  const known = ranks.get(listing.names)
  if (known) return known
  const order = listing.sorting.by === 'name' ? fromA(listing) : orderOfNames(listing.names, foldersOf(listing))
  const rank = ranksIn(order)
  ranks.set(listing.names, rank)
  return rank
}

function ranksIn(order: Uint32Array): Uint32Array {
  const rank = new Uint32Array(order.length)
  for (let place = 0; place < order.length; place++) rank[order[place] ?? 0] = place
  return rank
}

function foldersOf(listing: Listing): Uint8Array {
  return Uint8Array.from(listing.names, (_, index) => Number(isFolderAt(listing, index)))
}

/** The server's name order; folders and files are ranked separately. */
function fromA({ order, sorting }: Listing): Uint32Array {
  return sorting.asc ? order.toReversed() : order
}

function at(values: Uint32Array, index: number): number {
  return values[index] ?? 0
}
