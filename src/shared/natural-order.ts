/**
 * A sort key whose code-unit order is the natural order of names. Ignores case and Latin accents, compares digit runs as numbers of any length, and
 * puts a dot before everything else, so that `a.txt` comes before its copy `a(1).txt`. Make it once per name and compare with `<`; for equal keys
 * compare the names. `name-keys.ts` implements the same order on bytes.
 */
export function naturalKey(name: string): string {
  return withNumbers(foldName(name))
}

/** For a few names; long lists precompute their keys. Never 0 for different names. */
export function compareNames(a: string, b: string): number {
  return compareTexts(naturalKey(a), naturalKey(b)) || compareTexts(a, b)
}

/** By code units: the same on every machine and in every language. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text)
}

/**
 * The name without case and Latin accents. Upper and then lower case comes close to full case folding, which JavaScript lacks: ß = ss, ς = σ.
 */
export function foldName(name: string): string {
  if (isAscii(name)) return name.toLowerCase()
  const composed = name.normalize('NFC')
  return (ACCENTED.test(composed) ? composed.replace(EACH_ACCENTED, withoutAccent) : composed)
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
}

/** Latin and Greek letters, of which some have accents. */
const ACCENTED = /[\u00c0-\u024f\u0370-\u03ff\u1e00-\u1fff]/
const EACH_ACCENTED = new RegExp(ACCENTED, 'g')
/** A cache of folded letters: there are about a thousand. */
const bare = new Map<string, string>()

function withoutAccent(letter: string): string {
  const known = bare.get(letter)
  if (known !== undefined) return known
  const found = letter.normalize('NFD').replace(/[\u0300-\u036f]+/g, '')
  bare.set(letter, found)
  return found
}

/** Each digit run becomes `0`, the count of its digits, and the digits: a longer number is a greater one. A dot comes before everything. */
function withNumbers(text: string): string {
  let out = ''
  let copied = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === DOT) {
      out += text.slice(copied, at) + '\x01'
      copied = at + 1
    } else if (isDigit(code)) {
      const { start, end } = numberAt(text, at)
      out += text.slice(copied, at) + '0' + String.fromCharCode(end - start) + text.slice(start, end)
      copied = end
      at = end - 1
    }
  }
  return copied === 0 ? text : out + text.slice(copied)
}

/** Where a number begins without its zeros, and where it ends. */
function numberAt(text: string, at: number): { start: number; end: number } {
  let start = at
  while (text.charCodeAt(start) === ZERO && isDigit(text.charCodeAt(start + 1))) start++
  let end = start + 1
  while (isDigit(text.charCodeAt(end))) end++
  return { start, end }
}

const DOT = 46
const ZERO = 48

function isDigit(code: number): boolean {
  return code >= ZERO && code <= 57
}
