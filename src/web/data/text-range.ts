import type { SearchSnippet } from '../../shared/contract/search.ts'

/** A range of a text: lines and columns from 1, columns in UTF-16 code units; without columns, whole lines. */
export interface TextRange {
  readonly from: { readonly line: number; readonly column: number | null }
  readonly to: { readonly line: number; readonly column: number | null }
}

/** URL fragment of a search result: `#L3C5-L3C9` in a text, `#page=2` in a PDF (RFC 8118). */
export function fragmentOf({ line, page, place }: Pick<SearchSnippet, 'line' | 'page' | 'place'>): string {
  if (page !== null) return `#page=${page}`
  if (line === null) return ''
  return place === null ? `#L${line}` : `#L${line}C${place[0] + 1}-L${line}C${place[1] + 1}`
}

/** Parses `#L3`, `#L3-L5` or `#L3C5-L3C9`; null for anything else. */
export function parseTextRange(fragment: string): TextRange | null {
  const found = /^#L(\d{1,9})(?:C(\d{1,9}))?(?:-L?(\d{1,9})(?:C(\d{1,9}))?)?$/.exec(fragment)
  if (found === null) return null
  const [line = null, column = null, toLine = line, toColumn = found[3] === undefined ? column : null] = found
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)))
  if (line === null || toLine === null) return null
  return { from: { line, column }, to: { line: toLine, column: toColumn } }
}

/** The page of a PDF that a fragment names, from 1; 1 if it names none. */
export function pageIn(fragment: string): number {
  const page = Number(/^#page=(\d{1,9})$/.exec(fragment)?.[1])
  return page >= 1 ? page : 1
}

/** Puts the page of a PDF into the address, without an entry of the history. */
export function showPage(page: number): void {
  const { pathname, search } = location
  history.replaceState(history.state, '', `${pathname}${search}${fragmentOf({ line: null, page, place: null })}`)
}
