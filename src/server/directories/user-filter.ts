import { filterValue } from './ldap-text.ts'

/** Stands for the name that somebody typed. */
export const LOGIN = '{login}'

/** The attribute, or part of a value, in which the name may stand: so `*` in its place means any name. */
const PLACES = /\([a-z][a-z0-9-]*=[^()\\*]*\{login\}[^()\\*]*\)/gi

/** One comparison. Escapes beyond ASCII are left out, because the library takes each for a character. */
const SIMPLE = /^\((?:[a-z][a-z0-9-]*)?(?::dn)?(?::[a-z0-9.-]+)?(?::=|[~<>]?=)(?:[^()\\\0]|\\[0-7][0-9a-f])*\)/i

/** What is wrong with a filter, as an issue of that field. */
export function checkFilter(filter: string, { field, needsLogin }: { field: string; needsLogin: boolean }): string[] {
  const count = filter.split(LOGIN).length - 1
  if (needsLogin && count === 0) return [`${field}: ${LOGIN} is missing`]
  if (count !== (needsLogin ? (filter.match(PLACES) ?? []).length : 0))
    return [`${field}: ${LOGIN} may stand in a comparison only, such as (uid=${LOGIN})`]
  return isBalanced(filter) ? [] : [`${field}: not a filter (RFC 4515)`]
}

/** The filter for one name, of which every character is itself (RFC 4515 §3). */
export function filterFor(filter: string, login: string): string {
  return filter.replaceAll(LOGIN, () => filterValue(login))
}

/** The filter for everybody who could sign in, whatever their name. */
export function filterForAll(filter: string): string {
  return filter.replaceAll(LOGIN, '*')
}

/** `(&(…)(…))`, `(|…)`, `(!(…))` or `(attribute=value)`, to the end. */
function isBalanced(filter: string): boolean {
  const rest = afterFilter(filter, 0)
  return rest === filter.length
}

/** Where the filter that begins here ends; -1 if it is none. */
function afterFilter(text: string, start: number): number {
  if (text[start] !== '(') return -1
  const kind = text[start + 1] ?? ''
  if (!'&|!'.includes(kind) || kind === '') {
    const simple = SIMPLE.exec(text.slice(start))
    return simple === null ? -1 : start + simple[0].length
  }
  let at = start + 2
  let parts = 0
  while (text[at] === '(') {
    at = afterFilter(text, at)
    if (at === -1) return -1
    parts += 1
  }
  return text[at] === ')' && (kind === '!' ? parts === 1 : parts > 0) ? at + 1 : -1
}
