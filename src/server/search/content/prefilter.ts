import { formOf } from '../../../shared/search-query.ts'
import type { Wanted } from './snippets.ts'

/**
 * A quick look at bytes before they are read as text: false only where the text, in UTF-8 or a code page that holds ASCII, cannot hold all of the
 * words. To decode and fold a text takes ten times as long.
 */
export function prefilterFor({ words, sensitive }: Pick<Wanted, 'words' | 'sensitive'>): (bytes: Uint8Array) => boolean {
  const form = formOf({ sensitive })
  const patterns = words
    .map((word) => longestAscii(form(word)))
    .filter((part) => part !== '')
    .map((part) => new RegExp(Array.from(part, (char) => spellings(char)).join(''), sensitive ? '' : 'i'))
  return (bytes) => {
    if (patterns.length === 0) return true
    const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
    return patterns.every((pattern) => pattern.test(latin))
  }
}

/** So few letters are enough to pass over most texts, and keep the look linear. */
const MOST_CHARS = 16

/** The letters beyond ASCII that become one of ASCII by composing or in lower case, as the bytes of UTF-8: the Kelvin sign, and so on. */
const ALSO: Readonly<Record<string, string>> = {
  K: '\xe2\x84\xaa',
  k: '\xe2\x84\xaa',
  i: '\xc4\xb0',
  ';': '\xcd\xbe',
  '`': '\xe1\xbf\xaf',
}

function longestAscii(word: string): string {
  const parts = word.split(/[^\x00-\x7f]+/)
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest)).slice(0, MOST_CHARS)
}

function spellings(char: string): string {
  const escaped = `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`
  const also = ALSO[char]
  return also === undefined ? escaped : `(?:${escaped}|${also})`
}
