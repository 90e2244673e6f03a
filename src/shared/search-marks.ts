import { formOf, type SearchQuery } from './search-query.ts'

export type Marks = [start: number, end: number][]

/** The words in a text, for highlighting: pairs of start and end, in order, not touching each other. */
export function marksIn(text: string, { sensitive, words }: Pick<SearchQuery, 'sensitive' | 'words'>): Marks {
  const form = formOf({ sensitive })
  const { starts, places, formed } = formedByLetter(text, form)
  const marks: Marks = []
  for (const word of words.map(form)) {
    if (word === '') continue
    for (let at = formed.indexOf(word); at >= 0; at = formed.indexOf(word, at + word.length))
      marks.push([starts[lastUpTo(places, at)] ?? 0, starts[lastUpTo(places, at + word.length - 1) + 1] ?? text.length])
  }
  return merged(marks)
}

/** The position in a text of `formedAt` in its folded form, which may have other letters: `İ` becomes two. Linear in the text. */
export function placeOf(text: string, formedAt: number, form: (text: string) => string): number {
  let passed = 0
  for (let at = 0; at < text.length;) {
    const end = endOfLetter(text, at + PIECE_CHARS)
    const piece = text.slice(at, end)
    const { length } = form(piece)
    if (passed + length > formedAt) {
      const { starts, places } = formedByLetter(piece, form)
      return at + (starts[lastUpTo(places, formedAt - passed)] ?? 0)
    }
    passed += length
    at = end
  }
  return text.length
}

/** The end of the character that contains a position, or the position itself. */
export function endOfLetter(text: string, place: number): number {
  let at = Math.min(place, text.length)
  while (at < text.length && JOINS.test(text.charAt(at))) at += 1
  return at
}

const PIECE_CHARS = 4096
/** What belongs to the letter before it, so that they are folded together: combining marks, Hangul vowels and finals, low surrogates. */
const JOINS = /[\p{M}\u1160-\u11ff\udc00-\udfff]/u

/** The folded form of a text, letter by letter: where each begins in the text, and in the form. */
function formedByLetter(text: string, form: (text: string) => string): { starts: number[]; places: number[]; formed: string } {
  const [starts, places]: [number[], number[]] = [[], []]
  let formed = ''
  for (let at = 0; at < text.length;) {
    const end = endOfLetter(text, at + 1)
    starts.push(at)
    places.push(formed.length)
    formed += form(text.slice(at, end))
    at = end
  }
  return { starts, places, formed }
}

/** The index of the last number that is not above `value`. */
function lastUpTo(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((numbers[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}

function merged(marks: Marks): Marks {
  const all: Marks = []
  for (const [start, end] of marks.sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = all.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else all.push([start, end])
  }
  return all
}
