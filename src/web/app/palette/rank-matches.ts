import { folded, parseQuery } from '../../../shared/search-query.ts'
import { compareRanks, type Rank, rankOf } from '../../../shared/search-rank.ts'

/** The text that is matched. */
export interface Findable {
  readonly text: string
  /** Additional text that matches. */
  readonly also?: string | undefined
}

/** Entries that contain every typed word, best match first; all entries, in their order, for an empty input. */
export function rankMatches<Entry extends Findable>(entries: readonly Entry[], typed: string, most: number): Entry[] {
  const words = wordsOf(typed)
  if (words.length === 0) return entries.slice(0, most)
  return entries
    .filter(({ text, also }) => hasAll(folded(also === undefined ? text : `${text} ${also}`), words))
    .map((entry) => ({ entry, rank: rankOf(entry.text.replaceAll('/', ' '), { words }) }))
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .slice(0, most)
    .map(({ entry }) => entry)
}

/** With more matches than this, the input is too short to rank them. */
const MOST_COMPARED = 1000

/**
 * Matches the names of a folder, prepared once so that 100,000 names are searched as fast as one types.
 * @returns a function from the typed text to the positions of at most `most` names that contain every word, best match first
 */
export function createNameMatcher(names: readonly string[]): (typed: string, most: number) => number[] {
  let ready: readonly string[] | null = null
  return (typed, most) => {
    const words = wordsOf(typed)
    if (words.length === 0) return []
    ready ??= names.map(folded)
    const found: { index: number; rank: Rank }[] = []
    for (let index = 0; index < names.length && found.length < MOST_COMPARED; index++)
      if (hasAll(ready[index] ?? '', words)) found.push({ index, rank: rankOf(names[index] ?? '', { words }) })
    return found
      .sort((a, b) => compareRanks(a.rank, b.rank))
      .slice(0, most)
      .map(({ index }) => index)
  }
}

/** Whether a name contains every typed word. */
export function matchesAllWords(name: string, typed: string): boolean {
  return hasAll(folded(name), wordsOf(typed))
}

function wordsOf(typed: string): string[] {
  return parseQuery(typed, new Date()).words.map(folded)
}

function hasAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word))
}
