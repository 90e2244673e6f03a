import { currentLanguage } from '../i18n/i18n.tsx'

/** Invisible and bidirectional control characters: stored unchanged, displayed escaped. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g
/** Bytes that are not UTF-8, stored as lone surrogates. */
const RAW_BYTE = /[\udc80-\udcff]/g

/** A name with invisible characters escaped: `\x0A` for a line feed, `\xFF` for a raw byte. */
export function displayName(name: string): string {
  const seen = name.replace(UNSEEN, (char) => escape(char.codePointAt(0) ?? 0))
  return seen.isWellFormed()
    ? seen
    : seen.replace(RAW_BYTE, (half, at: number) => (isPaired(seen, at) ? half : escape(half.charCodeAt(0) - 0xdc00)))
}

/** A path within a sentence of the current language: it reads from the left, also in one that reads from the right (Unicode UAX 9, isolates). */
export function pathInSentence(path: string): string {
  return currentLanguage().dir === 'rtl' ? `\u2066${displayName(path)}\u2069` : displayName(path)
}

/** Right-to-left scripts, in which splitting a word would reorder its halves and break joined letters. */
const FROM_THE_RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

/** Splits a name so that the head can be truncated; the tail contains the extension and a few characters before it. */
export function splitName(name: string): { head: string; tail: string } {
  const letters = lettersOf(name)
  if (letters.length < 12) return { head: name, tail: '' }
  const dot = letters.lastIndexOf('.')
  const extension = dot > 0 && letters.length - dot <= 8 ? letters.length - dot : 0
  const keep = FROM_THE_RIGHT.test(name) ? extension : extension + 4
  if (keep === 0) return { head: name, tail: '' }
  return { head: letters.slice(0, -keep).join(''), tail: letters.slice(-keep).join('') }
}

let segmenter: Intl.Segmenter | undefined

/** Truncates a name in the middle. */
export function cutMiddle(name: string, most: number): string {
  const letters = lettersOf(name)
  if (letters.length <= most) return name
  const { tail } = splitName(name)
  const kept = Math.max(1, most - lettersOf(tail).length - 1)
  return `${letters.slice(0, kept).join('')}…${tail}`
}

/** Grapheme clusters: an emoji sequence or a letter with accents counts as one. */
function lettersOf(name: string): string[] {
  if (/^[ -~]*$/.test(name)) return Array.from(name)
  segmenter ??= new Intl.Segmenter()
  return Array.from(segmenter.segment(name), ({ segment }) => segment)
}

function escape(code: number): string {
  return code < 0x100 ? `\\x${code.toString(16).toUpperCase().padStart(2, '0')}` : `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`
}

function isPaired(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  return before >= 0xd800 && before <= 0xdbff
}
