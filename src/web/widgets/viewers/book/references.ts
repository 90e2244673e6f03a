import { orElse } from '../../../../shared/errors.ts'
/** A location in a book: a zip entry and an id in it. */
export interface BookLocation {
  readonly path: string
  /** Empty for the start. */
  readonly fragment: string
}

/** Resolves a reference relative to the entry `base`; null if it is outside the book. */
export function resolveHref(base: string, written: string): BookLocation | null {
  const reference = written.trim()
  if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(reference)) return null
  const [before = '', fragment = ''] = reference.split('#', 2)
  const path = before === '' ? base : climb(base, decoded(before.replace(/\?.*$/s, '')))
  return path === null ? null : { path, fragment: decoded(fragment) }
}

function climb(base: string, written: string): string | null {
  const segments = written.startsWith('/') ? [] : base.split('/').slice(0, -1)
  for (const segment of written.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) return null
    } else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments.join('/')
}

function decoded(text: string): string {
  return orElse(text, () => decodeURIComponent(text))
}
