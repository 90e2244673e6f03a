/**
 * A text whose plain code-unit order is the natural order of names: case and Latin accents count for nothing, digit runs count as numbers of any
 * length, and a dot comes before everything else, so that `a.txt` stands before its copy `a(1).txt`. Make it once per name and compare with `<`; where two are equal, the names themselves decide.
 */
export function naturalKey(name: string): string {
  return withNumbers(foldName(name))
}

/**
 * Indices of the names in their natural order, those of `first` before all others. Whole texts are sorted, because the engine does that four
 * times faster than calling us to compare; each ends with its index. No name holds a NUL, so the parts stay apart and a prefix comes first.
 */
export function orderOfNames(names: readonly string[], first?: ArrayLike<number>): Uint32Array<ArrayBuffer> {
  const texts = names.map((name, at) => `${first?.[at] ? 0 : 1}${naturalKey(name)}\0${name}\0${asText(at)}`)
  return Uint32Array.from(texts.sort(), asIndex)
}

/** Which rows come first: all folders, then all others. */
export interface FirstWanted {
  /** 1 for each folder. */
  readonly folders: Uint8Array
  readonly count: number
  /** From Z to A. */
  readonly descending: boolean
}

/** Indices of the first rows, much faster than sorting all. */
export function firstOfNames(names: readonly string[], { folders, count, descending }: FirstWanted): Uint32Array<ArrayBuffer> {
  const sign = descending ? -1 : 1
  const among = (folder: number): Keyed[] => {
    let kept: Keyed[] = []
    let last: Keyed | undefined
    const settle = () => {
      kept = kept.sort((a, b) => sign * (compareTexts(a.key, b.key) || compareTexts(a.name, b.name))).slice(0, count)
      last = kept[count - 1]
    }
    for (let at = folders.indexOf(folder); at >= 0; at = folders.indexOf(folder, at + 1)) {
      const name = names[at] ?? ''
      if (last !== undefined && sign * (compareWithKey(name, last.key) || compareTexts(name, last.name)) > 0) continue
      kept.push({ key: naturalKey(name), name, at })
      if (kept.length >= 2 * count) settle()
    }
    settle()
    return kept
  }
  return Uint32Array.from([...among(1), ...among(0)].slice(0, count), ({ at }) => at)
}

interface Keyed {
  readonly key: string
  readonly name: string
  readonly at: number
}

/** Four characters of seven bits each: a fixed length is read back without searching. */
function asText(index: number): string {
  return String.fromCharCode((index >> 21) & 127, (index >> 14) & 127, (index >> 7) & 127, index & 127)
}

function asIndex(text: string): number {
  const at = text.length
  return (text.charCodeAt(at - 4) << 21) | (text.charCodeAt(at - 3) << 14) | (text.charCodeAt(at - 2) << 7) | text.charCodeAt(at - 1)
}

/** Compares two names; long lists precompute their keys. Never 0 for different names. */
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
 * The name without what case and Latin accents say. Upper and then lower case is as near to full case folding as the language has it: ß = ss,
 * ς = σ.
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

/** As `compareTexts(naturalKey(name), key)`, without creating a key: the first letters usually decide. */
function compareWithKey(name: string, key: string): number {
  let place = 0
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at)
    if (isForeign(code) && key.charCodeAt(place) <= LAST_ASCII) return 1
    if (code > LAST_ASCII || isMark(name.charCodeAt(at + 1))) return compareTexts(naturalKey(name), key)
    let difference = 0
    if (isDigit(code)) {
      const { start, end } = numberAt(name, at)
      difference = order(ZERO, key, place) || order(end - start, key, place + 1)
      place += 2
      for (let digit = start; difference === 0 && digit < end; digit++) difference = order(name.charCodeAt(digit), key, place++)
      at = end - 1
    } else difference = order(code === DOT ? 1 : code >= 65 && code <= 90 ? code + 32 : code, key, place++)
    if (difference !== 0) return difference
  }
  return place < key.length ? -1 : 0
}

/** Letters that folding neither turns into ASCII nor joins with the previous letter: Cyrillic to Phonetic Extensions, and from CJK on. */
function isForeign(code: number): boolean {
  return (code >= 0x400 && code < 0x1d00) || (code >= 0x3000 && code < 0xd800)
}

/** Combining marks, which may change a preceding ASCII letter. */
function isMark(code: number): boolean {
  return code >= 0x300 && code < 0x370
}

/** Compares a code unit with one of a text; the end of the text comes first. */
function order(code: number, text: string, at: number): number {
  return at < text.length ? code - text.charCodeAt(at) : 1
}

/** Start of a number without leading zeros, and its end. */
function numberAt(text: string, at: number): { start: number; end: number } {
  let start = at
  while (text.charCodeAt(start) === ZERO && isDigit(text.charCodeAt(start + 1))) start++
  let end = start + 1
  while (isDigit(text.charCodeAt(end))) end++
  return { start, end }
}

const DOT = 46
const ZERO = 48
const LAST_ASCII = 127

function isDigit(code: number): boolean {
  return code >= ZERO && code <= 57
}
