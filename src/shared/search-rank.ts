import { nameOf } from './file-path.ts'
import { compareTexts, naturalKey } from './natural-order.ts'
import { folded, type SearchQuery } from './search-query.ts'

/** How well a path matches a query; computed once per path, compared with `compareRanks`. */
export type Rank = ReturnType<typeof rankOf>

/** @param path relative to the searched folder, or from the root; both rank alike */
export function rankOf(path: string, { words }: Pick<SearchQuery, 'words'>) {
  const plain = nameOf(`/${path}` as Parameters<typeof nameOf>[0])
  const name = folded(plain)
  const places = words.map((word) => placeOf(name, folded(word)))
  const found = places.filter((place) => place !== null)
  return {
    /** Number of words missing in the name: fewer is better. */
    missed: places.length - found.length,
    /** 0 if the name is a word, 1 if it begins with one, 2 if a part of it does, 3 if one is inside. */
    place: Math.min(NOWHERE, ...found),
    length: name.length,
    name: naturalKey(plain),
    path,
  }
}

/** Better first: more words, then the beginning before the inside, then shorter names, then natural order, then the path. */
export function compareRanks(a: Rank, b: Rank): number {
  return a.missed - b.missed || a.place - b.place || a.length - b.length || compareTexts(a.name, b.name) || compareTexts(a.path, b.path)
}

const NOWHERE = 4

function placeOf(name: string, word: string): number | null {
  const at = name.indexOf(word)
  if (at < 0) return null
  if (at === 0) return name.length === word.length || name[word.length] === '.' ? 0 : 1
  return /[\p{L}\p{N}]/u.test(name[at - 1] ?? '') ? 3 : 2
}
