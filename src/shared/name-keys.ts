import { grown } from './column.ts'
import { letterLength } from './file-path.ts'
import { foldName, naturalKey } from './natural-order.ts'
import { isPacked, type Names } from './packed-names.ts'

/**
 * The sort keys of names: the natural key, NUL, the name, NUL. No name contains NUL, so the parts are separate and a prefix comes first. All
 * are in one buffer: as strings, those of 300,000 names took 210 MB. The order is that of `natural-order.ts`, which this implements on bytes.
 */
export interface NameKeys {
  /** Compare like the UTF-16 code units of the strings: each unit is encoded separately, as UTF-8 encodes a code point. */
  readonly bytes: Uint8Array
  /** The start of each key, and after the last one the start of the next. */
  readonly starts: Uint32Array
}

/** Maximum bytes for one code unit, except in keys from `naturalKey`. */
const MOST_UNIT_BYTES = 3
const EXPECTED_BYTES = 48
const EXPECTED_UNITS = 256

export function keysOfNames(names: Names): NameKeys {
  const starts = new Uint32Array(names.length + 1)
  let bytes = new Uint8Array(names.length * EXPECTED_BYTES)
  let units = new Uint16Array(EXPECTED_UNITS)
  let end = 0
  for (let index = 0; index < names.length; index++) {
    units = grown(units, mostUnits(names, index))
    const length = readUnits(names, index, units)
    bytes = grown(bytes, end + 2 * (MOST_UNIT_BYTES * length + 1))
    let keyEnd = putKey(bytes, end, { units, length })
    if (keyEnd < 0) {
      const key = naturalKey(names.at(index) ?? '')
      bytes = grown(bytes, end + MOST_UNIT_BYTES * (key.length + length) + 2)
      keyEnd = end
      for (let at = 0; at < key.length; at++) keyEnd = putUnit(bytes, keyEnd, key.charCodeAt(at))
    }
    bytes[keyEnd] = 0
    end = keyEnd + 1
    for (let at = 0; at < length; at++) end = putUnit(bytes, end, units[at] ?? 0)
    bytes[end++] = 0
    starts[index + 1] = end
  }
  return { bytes, starts }
}

/** @param from number of bytes known to be equal. @returns 0 only for the same entry; equal names keep their order */
export function compareKeys({ bytes, starts }: NameKeys, a: number, b: number, from: number): number {
  const endA = starts[a + 1] ?? 0
  const endB = starts[b + 1] ?? 0
  let atA = (starts[a] ?? 0) + from
  let atB = (starts[b] ?? 0) + from
  while (atA < endA && atB < endB) {
    const difference = (bytes[atA++] ?? 0) - (bytes[atB++] ?? 0)
    if (difference !== 0) return difference
  }
  return a - b
}

function mostUnits(names: Names, index: number): number {
  return isPacked(names) ? (names.starts[index + 1] ?? 0) - (names.starts[index] ?? 0) : (names.at(index) ?? '').length
}

/** Decodes a name into code units. @returns their number */
function readUnits(names: Names, index: number, into: Uint16Array): number {
  if (!isPacked(names)) {
    const name = names.at(index) ?? ''
    for (let at = 0; at < name.length; at++) into[at] = name.charCodeAt(at)
    return name.length
  }
  const { bytes, starts } = names
  const end = (starts[index + 1] ?? 1) - 1
  let length = 0
  for (let at = starts[index] ?? 0; at < end;) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) {
      into[length++] = byte
      at++
      continue
    }
    // A character never extends beyond the NUL after the name.
    const size = letterLength(bytes, at)
    const [second, third, fourth] = [(bytes[at + 1] ?? 0) & 0x3f, (bytes[at + 2] ?? 0) & 0x3f, (bytes[at + 3] ?? 0) & 0x3f]
    if (size === 0) into[length++] = 0xdc00 + byte
    else if (size === 2) into[length++] = ((byte & 0x1f) << 6) | second
    else if (size === 3) into[length++] = ((byte & 0xf) << 12) | (second << 6) | third
    else {
      const above = (((byte & 7) << 18) | (second << 12) | (third << 6) | fourth) - 0x10000
      into[length++] = 0xd800 + (above >> 10)
      into[length++] = 0xdc00 + (above & 0x3ff)
    }
    at += Math.max(size, 1)
  }
  return length
}

/**
 * Writes the natural key of a name without creating a string. @returns its end, or -1 if characters cannot be folded individually:
 * then use `naturalKey`
 */
function putKey(bytes: Uint8Array, start: number, { units, length }: { units: Uint16Array; length: number }): number {
  let end = start
  for (let at = 0; at < length; at++) {
    const unit = foldedAlone(units[at] ?? 0)
    if (unit === NOT_ALONE) return -1
    if (unit === DOT) bytes[end++] = 1
    else if (unit < ZERO || unit > NINE) end = putUnit(bytes, end, unit)
    else {
      // Numbers as in `naturalKey`: without leading zeros, after `0` and the number of digits.
      let first = at
      while (units[first] === ZERO && first + 1 < length && isDigit(units[first + 1] ?? 0)) first++
      let behind = first + 1
      while (behind < length && isDigit(units[behind] ?? 0)) behind++
      bytes[end++] = ZERO
      end = putUnit(bytes, end, behind - first)
      for (let digit = first; digit < behind; digit++) bytes[end++] = units[digit] ?? 0
      at = behind - 1
    }
  }
  return end
}

const DOT = 46
const ZERO = 48
const NINE = 57

function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE
}

/** @returns the next position */
function putUnit(bytes: Uint8Array, at: number, unit: number): number {
  if (unit < 0x80) {
    bytes[at] = unit
    return at + 1
  }
  if (unit < 0x800) {
    bytes[at] = 0xc0 | (unit >> 6)
    bytes[at + 1] = 0x80 | (unit & 0x3f)
    return at + 2
  }
  bytes[at] = 0xe0 | (unit >> 12)
  bytes[at + 1] = 0x80 | ((unit >> 6) & 0x3f)
  bytes[at + 2] = 0x80 | (unit & 0x3f)
  return at + 3
}

/** The folded form of each code unit seen so far; 0 otherwise. */
const foldedUnits = new Uint16Array(0x10000)
/** Is folded together with its neighbours, or becomes several characters. */
const NOT_ALONE = 0xffff
/** Characters that may combine with the one before (marks and parts of Hangul syllables), and surrogates. */
const JOINING = /[\p{M}\p{Cs}\u1100-\u11ff\ud7b0-\ud7ff]/u

function foldedAlone(unit: number): number {
  const known = foldedUnits[unit] ?? 0
  if (known !== 0 || unit === 0) return known
  const letter = String.fromCharCode(unit)
  const folded = foldName(letter)
  // Folding never creates digits or dots, so they are found in the name itself.
  const isAlone = folded.length === 1 && !JOINING.test(letter) && (folded === letter || !/[\d.]/.test(folded))
  const value = isAlone ? folded.charCodeAt(0) : NOT_ALONE
  foldedUnits[unit] = value
  return value
}
