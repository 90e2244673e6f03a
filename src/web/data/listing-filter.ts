import { foldName } from '../../shared/natural-order.ts'
import { HIDDEN, isFolderAt, type Listing, NONE } from './listing.ts'

/** The folded names of a folder, made at the latest with the first letter that is typed. */
const folded = new WeakMap<readonly string[], readonly string[]>()

/**
 * The entries whose names hold every word of the text, in their order; case and accents count for nothing. A word with `*` is a pattern for
 * the whole name: `*.jpg`. Indices stay what they were, so that a selection outlives it.
 */
export function filterListing(listing: Listing, text: string): Listing {
  const tests = testsOf(text)
  if (tests.length === 0) return listing
  const names = foldedNames(listing.names)
  const order = listing.order.filter((index) => tests.every((test) => test(names[index] ?? '')))
  const positions = new Uint32Array(listing.names.length).fill(HIDDEN)
  for (let position = 0; position < order.length; position++) positions[order[position] ?? 0] = position
  const firstFile = order.findIndex((index) => !isFolderAt(listing, index))
  const numDirs = firstFile < 0 ? order.length : firstFile
  return { ...listing, order, positions, numDirs, numFiles: order.length - numDirs, pending: NONE }
}

/** Works out what a filter compares, when the page has nothing better to do. @returns calls it off */
export function prepareFilter({ names }: Listing): () => void {
  if (typeof requestIdleCallback !== 'function') return () => undefined
  const id = requestIdleCallback(() => void foldedNames(names))
  return () => cancelIdleCallback(id)
}

function foldedNames(names: readonly string[]): readonly string[] {
  const known = folded.get(names)
  if (known !== undefined) return known
  // All in one text is many times faster than each for itself, and no name holds a NUL.
  const made = foldName(names.join('\0')).split('\0')
  folded.set(names, made)
  return made
}

function testsOf(text: string): ((name: string) => boolean)[] {
  return foldName(text)
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => (word.includes('*') ? (name) => isLike(name, word.split('*')) : (name) => name.includes(word)))
}

/** @param pieces what stands before, between and after the stars; each is looked for once, so that no pattern takes long */
function isLike(name: string, pieces: readonly string[]): boolean {
  const [head = '', ...rest] = pieces
  const tail = rest.pop() ?? ''
  if (!name.startsWith(head) || !name.endsWith(tail)) return false
  let at = head.length
  for (const piece of rest) {
    const found = name.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return at <= name.length - tail.length
}
