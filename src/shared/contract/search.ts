import * as z from 'zod/mini'
import type { Marks } from '../search-marks.ts'
import { MAX_QUERY_CHARS } from '../limits.ts'
import { endpoint } from './endpoint.ts'

/** Start and end. `tuple`, with its part of the library, would be in every first load for this alone. */
export const SearchMark = z.custom<Marks[number]>(isMark)
export const SearchMarks = z.custom<Marks>((value) => Array.isArray(value) && value.every(isMark))

/**
 * Where a text was found: the number of the line, or of a PDF's page, from 1, and neither for other documents; start and end of the word in the whole
 * line, if there is a line; the text around it, with `…` where it was cut; and pairs of start and end to highlight in that text, in order. Positions
 * are in UTF-16 units, from 0.
 */
export const SearchSnippet = z.object({
  line: z.nullable(z.number()),
  page: z.nullable(z.number()),
  place: z.nullable(SearchMark),
  text: z.string(),
  marks: SearchMarks,
})
export type SearchSnippet = z.infer<typeof SearchSnippet>

/**
 * A result: its path relative to the searched folder, without a leading slash; `url` is its address in the web application, without base URL.
 * `snippets` are present for `content:`.
 */
export const SearchHit = z.object({ path: z.string(), dir: z.boolean(), url: z.string(), snippets: z.optional(z.array(SearchSnippet)) })
export type SearchHit = z.infer<typeof SearchHit>

/**
 * Why a search is incomplete; `bytes` and `large` for content searches: the limit of bytes was reached, or a text was too large. In the header
 * `X-Search-Cut` of an array, and in the last line of NDJSON.
 */
export const SearchCut = z.enum(['results', 'entries', 'depth', 'time', 'bytes', 'large'])
export type SearchCut = z.infer<typeof SearchCut>

export const CUT_HEADER = 'x-search-cut'
export const NDJSON_MEDIA_TYPE = 'application/x-ndjson'

/**
 * A line is a hit, or the number of files read so far, or empty (a sign of life every 5 s); the last one says that it is the last, so that a lost
 * connection is noticed.
 */
export const SearchLine = z.union([
  SearchHit,
  z.object({ end: z.literal(true), cut: z.nullable(SearchCut) }),
  z.object({ read: z.number() }),
])
export type SearchLine = z.infer<typeof SearchLine>

/** In the language of `parseQuery`. Content searches need the right to download (`forbidden`). */
const text = z._default(z.string().check(z.maxLength(MAX_QUERY_CHARS)), '')
/** `match=all`: a name must contain every word. By default one of them is enough, as clients of the predecessor expect (decision 046). */
const query = z.object({ query: text, match: z.optional(z.enum(['any', 'all'])) })

/** The text of an office document or a book, one paragraph per line; empty if it cannot be read. */
export const DocumentText = z.object({
  text: z.string(),
  isCut: z.boolean(),
})
export type DocumentText = z.infer<typeof DocumentText>

export const search = {
  lines: endpoint('user', 'GET /api/search/*path', { accept: NDJSON_MEDIA_TYPE, query }),
  run: endpoint('user', 'GET /api/search/*path', { query, result: z.array(SearchHit) }),
  documentText: endpoint('user', 'GET /api/text/*path', { needs: ['download'], result: DocumentText }),
}

function isMark(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger)
}
