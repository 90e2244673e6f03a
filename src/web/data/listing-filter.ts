import { foldName } from '../../shared/natural-order.ts'
import { HIDDEN, isFolderAt, type Listing, NONE } from './listing.ts'

/** Case-folded names of a folder, computed at the latest on the first keystroke. */
const folded = new WeakMap<readonly string[], readonly string[]>()

/**
 * Entries whose names contain every word, ignoring case and accents, in order. A word with `*` is a glob for the whole name (`*.jpg`). Indices are
 * unchanged, so the selection remains valid.
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

/** Precomputes the folded names when the page is idle. @returns cancels it */
export function prepareFilter({ names }: Listing): () => void {
  if (typeof requestIdleCallback !== 'function') return () => undefined
  const id = requestIdleCallback(() => void foldedNames(names))
  return () => cancelIdleCallback(id)
}

function foldedNames(names: readonly string[]): readonly string[] {
  const known = folded.get(names)
  if (known !== undefined) return known
  // Folding one joined string is much faster than folding each name; names never contain NUL.
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

/** @param pieces the parts between the asterisks; each is searched once, so matching is linear */
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
