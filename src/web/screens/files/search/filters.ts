import { asksContent, type SearchQuery } from '../../../../shared/search-query.ts'

/** In the order in which they are offered. */
export const TYPES = ['image', 'audio', 'pdf', 'video'] as const
export type Type = (typeof TYPES)[number]

/** In the query language; empty for any. */
export const TIMES = ['', 'today', '<7d', '<30d', '<1y'] as const
export type Time = (typeof TIMES)[number]

export const SIZES = ['', '>1mb', '>10mb', '>100mb', '>1gb', '<1mb'] as const
export type Size = (typeof SIZES)[number]

/** What is pressed and chosen beside the field. */
export interface Filters {
  readonly types: readonly Type[]
  readonly time: Time
  readonly size: Size
}

export const NO_FILTERS: Filters = { types: [], time: '', size: '' }

export function isFiltering({ types, time, size }: Filters): boolean {
  return types.length > 0 || time !== '' || size !== ''
}

/** What was typed and what was chosen, as one query. The typed text comes last: a phrase that nobody closed ends with it. */
export function queryText(text: string, { types, time, size }: Filters): string {
  return [...types.map((type) => `type:${type}`), time && `modified:${time}`, size && `size:${size}`, text]
    .filter((part) => part !== '')
    .join(' ')
}

/** So much has to be typed before it is searched by itself: one Latin letter finds nearly everything. */
const SHORTEST = 2

/** Whether something is searched while it is typed; what is shorter waits for Enter. */
export function isWorthAsking(text: string, filters: Filters): boolean {
  const typed = text.trim()
  return isFiltering(filters) || typed.length >= SHORTEST || /[^\x00-\x7f]/.test(typed)
}

/** The same words looked for in what is in files, all of them; null where there are none, or where the query says itself what it looks for there. */
export function inContents(query: SearchQuery): SearchQuery | null {
  return query.words.length === 0 || asksContent(query) ? null : { ...query, words: [], contents: query.words }
}

/** The other state of one type. */
export function toggled(types: readonly Type[], type: Type): readonly Type[] {
  return types.includes(type) ? types.filter((one) => one !== type) : [...types, type]
}
