import { formOf } from '../../../shared/search-query.ts'
import type { Wanted } from './snippets.ts'

/**
 * A fast check of bytes before they are decoded: false only if the text, in UTF-8 or an ASCII-compatible code page, cannot contain all of the words.
 * Decoding and folding takes ten times as long.
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

/** This many letters are enough to skip most texts, and keep the check linear. */
const MOST_CHARS = 16

/** The non-ASCII letters that become ASCII by composition or lower-casing, as UTF-8: the Kelvin sign, and so on. */
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
