import { folded, parseQuery } from '../../../shared/search-query.ts'
import { compareRanks, type Rank, rankOf } from '../../../shared/search-rank.ts'

/** What words are looked for in. */
export interface Findable {
  readonly text: string
  /** Words that find it as well. */
  readonly also?: string | undefined
}

/** Those in which every word typed stands, the nearest first; with nothing typed all, as they come. */
export function choose<Entry extends Findable>(entries: readonly Entry[], typed: string, most: number): Entry[] {
  const words = wordsOf(typed)
  if (words.length === 0) return entries.slice(0, most)
  return entries
    .filter(({ text, also }) => hasAll(folded(also === undefined ? text : `${text} ${also}`), words))
    .map((entry) => ({ entry, rank: rankOf(entry.text.replaceAll('/', ' '), { words }) }))
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .slice(0, most)
    .map(({ entry }) => entry)
}

/** More are not compared with each other: what was typed is too short to mean one of them. */
const MOST_COMPARED = 1000

/**
 * Looks through the names of a folder, be they a hundred thousand, as fast as one types: they are made ready once.
 * @returns the positions of the names in which every word typed stands, at most so many, the nearest first
 */
export function namesChooser(names: readonly string[]): (typed: string, most: number) => number[] {
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

/** Whether every word typed stands in a name. */
export function holdsAll(name: string, typed: string): boolean {
  return hasAll(folded(name), wordsOf(typed))
}

function wordsOf(typed: string): string[] {
  return parseQuery(typed, new Date()).words.map(folded)
}

function hasAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word))
}
