import type { SearchSnippet } from '../../../shared/contract/search.ts'
import { SNIPPET_CHARS, SNIPPETS } from '../../../shared/limits.ts'
import { endOfLetter, marksIn, placeOf } from '../../../shared/search-marks.ts'
import { formOf, type SearchQuery } from '../../../shared/search-query.ts'

/** Words to search for: all of `words`, none of `not`. */
export interface Wanted extends Pick<SearchQuery, 'sensitive'> {
  readonly words: readonly string[]
  readonly not: readonly string[]
}

/** The unit of lines; paragraphs of a document have no visible numbers. */
export type Unit = 'line' | 'page' | 'paragraph'

/**
 * The lines of a text that contain the words: a few, in order, covering as many words as possible; empty if the query has only `not`. Null for a text
 * that does not match. Linear in the text.
 * @param unit the unit of the text's lines
 */
export function snippetsIn(text: string, { words, not, sensitive }: Wanted, unit: Unit): SearchSnippet[] | null {
  const form = formOf({ sensitive })
  const formed = form(text)
  const formedWords = words.map(form)
  if (!formedWords.every((word) => formed.includes(word)) || not.some((word) => formed.includes(form(word)))) return null

  const snippets: SearchSnippet[] = []
  let number = 1
  // The same line in the folded and in the original text, where it may begin elsewhere.
  let [formedStart, start] = [0, 0]
  for (const hit of chosen(formedWords.slice(0, SNIPPETS).map((word) => hitsOf(formed, word)))) {
    for (let next = formed.indexOf('\n', formedStart); next >= 0 && next < hit.at; next = formed.indexOf('\n', formedStart)) {
      number += 1
      formedStart = next + 1
      start = text.indexOf('\n', start) + 1
    }
    const end = text.indexOf('\n', start)
    const line = text.slice(start, end < 0 ? text.length : end)
    const at = placeOf(line, hit.at - formedStart, form)
    // To the end of the character that the word ends in, of which it may be a part: an `i` of `İ`.
    const last = hit.at - formedStart + hit.length - 1
    const hitEnd = last < 0 ? at : endOfLetter(line, placeOf(line, last, form) + 1)
    const shown = cutAround(line, at, hitEnd)
    snippets.push({
      line: unit === 'line' ? number : null,
      page: unit === 'page' ? number : null,
      place: unit === 'line' ? [at, hitEnd] : null,
      text: shown,
      marks: marksIn(shown, { sensitive, words }),
    })
  }
  return snippets
}

/** A word in the folded text. */
interface Hit {
  readonly line: number
  readonly at: number
  readonly length: number
}

const BEFORE_CHARS = 40

/** The first lines that contain a word. */
function hitsOf(formed: string, word: string): Hit[] {
  const hits: Hit[] = []
  for (let at = formed.indexOf(word); at >= 0 && hits.length < SNIPPETS;) {
    hits.push({ line: formed.lastIndexOf('\n', at), at, length: word.length })
    const end = formed.indexOf('\n', at + 1)
    at = end < 0 ? -1 : formed.indexOf(word, end)
  }
  return hits
}

/** The first line of each word, then the second of each, and so on, each line once; as many as are shown, in the order of the text. */
function chosen(hitsByWord: readonly Hit[][]): Hit[] {
  const lines = new Map<number, Hit>()
  for (let nth = 0; nth < SNIPPETS; nth++)
    for (const hits of hitsByWord) {
      const hit = hits[nth]
      if (hit && lines.size < SNIPPETS && !lines.has(hit.line)) lines.set(hit.line, hit)
    }
  return [...lines.values()].sort((a, b) => a.at - b.at)
}

/** A trimmed line, cut to what can be shown. */
function cutAround(line: string, at: number, end: number): string {
  const first = Math.min(at, line.length - line.trimStart().length)
  const last = Math.max(end, line.trimEnd().length)
  const from = at - first <= BEFORE_CHARS ? first : Math.min(at, endOfLetter(line, at - BEFORE_CHARS))
  const to = Math.min(last, endOfLetter(line, Math.max(from + SNIPPET_CHARS, end)))
  return `${from > first ? '…' : ''}${line.slice(from, to)}${to < last ? '…' : ''}`
}
