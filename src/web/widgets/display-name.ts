/** Characters that draw nothing or turn the line around; they are stored as they are and shown escaped. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g
/** Bytes that are not UTF-8. */
const RAW_BYTE = /[\udc80-\udcff]/g

/** A name as it can be read: what has no shape is written out, `\x0A` for a line feed, `\xFF` for a raw byte. */
export function displayName(name: string): string {
  const seen = name.replace(UNSEEN, (char) => escape(char.codePointAt(0) ?? 0))
  return seen.isWellFormed()
    ? seen
    : seen.replace(RAW_BYTE, (half, at: number) => (isPaired(seen, at) ? half : escape(half.charCodeAt(0) - 0xdc00)))
}

/** Letters of scripts that run from the right: where a word is cut, its halves change places, and what was joined comes apart. */
const FROM_THE_RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

/** A name in two parts, so that a narrow place can cut the first and keep the second: extension and a few letters before it. */
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

/** A name of at most so many letters: what is left out is its middle. */
export function cutMiddle(name: string, most: number): string {
  const letters = lettersOf(name)
  if (letters.length <= most) return name
  const { tail } = splitName(name)
  const kept = Math.max(1, most - lettersOf(tail).length - 1)
  return `${letters.slice(0, kept).join('')}…${tail}`
}

/** As people count them: a family is one, and so is a letter with its accents. */
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
