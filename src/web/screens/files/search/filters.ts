import { asksContent, type SearchQuery } from '../../../../shared/search-query.ts'

/** In display order. */
export const TYPES = ['image', 'audio', 'pdf', 'video'] as const
export type Type = (typeof TYPES)[number]

/** In the query language; empty for any. */
export const TIMES = ['', 'today', '<7d', '<30d', '<1y'] as const
export type Time = (typeof TIMES)[number]

export const SIZES = ['', '>1mb', '>10mb', '>100mb', '>1gb', '<1mb'] as const
export type Size = (typeof SIZES)[number]

/** The filter controls beside the field. */
export interface Filters {
  readonly types: readonly Type[]
  readonly time: Time
  readonly size: Size
}

export const NO_FILTERS: Filters = { types: [], time: '', size: '' }

export function isFiltering({ types, time, size }: Filters): boolean {
  return types.length > 0 || time !== '' || size !== ''
}

/** The query for text and filters. The text comes last, because it may contain an unterminated phrase. */
export function queryText(text: string, { types, time, size }: Filters): string {
  return [...types.map((type) => `type:${type}`), time && `modified:${time}`, size && `size:${size}`, text]
    .filter((part) => part !== '')
    .join(' ')
}

/** Minimum length for searching while typing: one Latin letter matches nearly everything. */
const MIN_CHARACTERS = 2

/** Whether to search while typing; shorter texts wait for Enter. */
export function shouldSearch(text: string, filters: Filters): boolean {
  const typed = text.trim()
  return isFiltering(filters) || typed.length >= MIN_CHARACTERS || /[^\x00-\x7f]/.test(typed)
}

/** The same words as a content query; null if there are none, or if the query already has content terms. */
export function inContents(query: SearchQuery): SearchQuery | null {
  return query.words.length === 0 || asksContent(query) ? null : { ...query, words: [], contents: query.words }
}

/** Toggles a type. */
export function toggled(types: readonly Type[], type: Type): readonly Type[] {
  return types.includes(type) ? types.filter((one) => one !== type) : [...types, type]
}
