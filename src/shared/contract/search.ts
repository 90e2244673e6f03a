import * as z from 'zod/mini'
import type { Marks } from '../search-marks.ts'
import { MAX_QUERY_CHARS } from '../limits.ts'
import { endpoint } from './endpoint.ts'

/**
 * Where a text was found: the number of the line, or of a PDF's page, from 1, and neither in other documents; where in the whole line the word begins and
 * ends, where there is a line; the text around it, with `…` where it goes on; and what is to be marked in that: pairs of start and end, in order. Places are in UTF-16 units, from 0.
 */
export const SearchSnippet = z.object({
  line: z.nullable(z.number()),
  page: z.nullable(z.number()),
  // `tuple`, of all of the library, would be in every first load for this alone.
  place: z.nullable(z.custom<Marks[number]>(isMark)),
  text: z.string(),
  marks: z.custom<Marks>((value) => Array.isArray(value) && value.every(isMark)),
})
export type SearchSnippet = z.infer<typeof SearchSnippet>

/**
 * What was found: where, seen from the folder that was searched, without a leading slash; `url` is its address in the web, without base URL.
 * `snippets` come where `content:` was asked for.
 */
export const SearchHit = z.object({ path: z.string(), dir: z.boolean(), url: z.string(), snippets: z.optional(z.array(SearchSnippet)) })
export type SearchHit = z.infer<typeof SearchHit>

/**
 * Why a search did not see everything, `bytes` and `large` where it was one in contents: it had read as much as it may, or passed over a text that
 * was too large; the header `X-Search-Cut` of an array says it, and the last of the lines.
 */
export const SearchCut = z.enum(['results', 'entries', 'depth', 'time', 'bytes', 'large'])
export type SearchCut = z.infer<typeof SearchCut>

export const CUT_HEADER = 'x-search-cut'
export const NDJSON_MEDIA_TYPE = 'application/x-ndjson'

/**
 * A line is a hit, or how many files have been read so far, or empty (a sign of life every 5 s); the last one says that it is the last, so that a
 * line that dropped is noticed.
 */
export const SearchLine = z.union([
  SearchHit,
  z.object({ end: z.literal(true), cut: z.nullable(SearchCut) }),
  z.object({ read: z.number() }),
])
export type SearchLine = z.infer<typeof SearchLine>

/** In the language of `parseQuery`. Who asks of contents needs the right to download (`forbidden`). */
const text = z._default(z.string().check(z.maxLength(MAX_QUERY_CHARS)), '')
/** `match=all`: a name must hold every word. Without it one of them is enough, which is what clients of the predecessor expect (decision 046). */
const query = z.object({ query: text, match: z.optional(z.enum(['any', 'all'])) })

/** The text of an office document or a book, a paragraph a line; empty where it has none that can be read. */
export const DocumentText = z.object({
  text: z.string(),
  /** There is more than is told. */
  isCut: z.boolean(),
})
export type DocumentText = z.infer<typeof DocumentText>

export const search = {
  lines: endpoint({
    by: 'user',
    needs: [],
    method: 'GET',
    path: '/api/search/*path',
    accept: NDJSON_MEDIA_TYPE,
    query,
    result: 'response',
  }),
  run: endpoint({ by: 'user', needs: [], method: 'GET', path: '/api/search/*path', query, result: z.array(SearchHit) }),
  documentText: endpoint({ by: 'user', needs: ['download'], method: 'GET', path: '/api/text/*path', result: DocumentText }),
}

function isMark(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger)
}
