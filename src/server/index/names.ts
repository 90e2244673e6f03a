import { bytesToName, nameToBytes } from '../../shared/file-path.ts'
import { folded } from '../../shared/search-query.ts'
import { roomFor } from './columns.ts'

/** No name crosses the end of a block. */
export const BLOCK_BYTES = 8192
/** One bit for each of 4096 classes of trigrams. */
const WORDS_PER_BLOCK = 128

/**
 * All names, one after the other: each in its form for comparison, ended by NUL, and if the bytes on disk differ, those, ended by NUL. Appended names
 * never move.
 */
export interface Names {
  bytes: Uint8Array<ArrayBuffer>
  /** Where the next name may begin. */
  end: number
  /** For each block, which trigrams may be in it. */
  marks: Uint32Array<ArrayBuffer>
}

export function noNames(): Names {
  return { bytes: new Uint8Array(0), end: 0, marks: new Uint32Array(0) }
}

const encoder = new TextEncoder()
const record = new Uint8Array(BLOCK_BYTES)

/** @returns where it begins, and whether the disk's bytes follow */
export function appendName(names: Names, name: string): { start: number; both: boolean } {
  let length = asciiRecord(name)
  const both = length < 0 ? false : length > name.length + 1
  const plain = length < 0 ? otherRecord(name) : null
  length = plain?.length ?? length
  return { start: place(names, record, 0, length), both: plain?.both ?? both }
}

/** Copies a name. @returns where it begins */
export function copyName(names: Names, from: Names, start: number, both: boolean): number {
  const end = from.bytes.indexOf(0, start) + 1
  return place(names, from.bytes, start, (both ? from.bytes.indexOf(0, end) + 1 : end) - start)
}

function place(names: Names, from: Uint8Array, at: number, length: number): number {
  const left = BLOCK_BYTES - (names.end % BLOCK_BYTES)
  const start = length <= left ? names.end : names.end + left
  names.end = start + length
  names.bytes = roomFor(names.bytes, Math.ceil(names.end / BLOCK_BYTES) * BLOCK_BYTES)
  const { bytes } = names
  for (let step = 0; step < length; step++) bytes[start + step] = from[at + step] ?? 0
  markName(names, start)
  return start
}

/** The name as it is on the disk. */
export function nameAt({ bytes }: Names, start: number, both: boolean): string {
  const begin = both ? bytes.indexOf(0, start) + 1 : start
  let end = begin
  let seen = 0
  for (let byte = bytes[end] ?? 0; byte !== 0; byte = bytes[++end] ?? 0) seen |= byte
  return seen < 0x80 ? Buffer.from(bytes.buffer, begin, end - begin).toString('latin1') : bytesToName(bytes.subarray(begin, end))
}

/** The next block, from `block` on, that may contain one of the needles; -1 if there is none. */
export function nextBlock(names: Names, needles: readonly Needle[], block: number): number {
  const blocks = Math.ceil(names.end / BLOCK_BYTES)
  for (let at = block; at < blocks; at++) if (needles.some(({ marks }) => mayHold(names, at, marks))) return at
  return -1
}

/** A search text, in the form for comparison. */
export interface Needle {
  readonly bytes: Buffer
  readonly marks: readonly number[]
}

export function needleOf(word: string): Needle {
  const bytes = Buffer.from(folded(word))
  const marks: number[] = []
  for (let at = 0; at + 2 < bytes.length; at++) marks.push(markOf(bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0))
  return { bytes, marks }
}

/** Position of a needle in a block, from `from` on; -1 if absent. */
export function placeIn({ bytes, end }: Names, { bytes: wanted }: Needle, from: number): number {
  const last = Math.min((Math.floor(from / BLOCK_BYTES) + 1) * BLOCK_BYTES, end)
  const at = Buffer.from(bytes.buffer, from, last - from).indexOf(wanted)
  return at < 0 ? -1 : from + at
}

/** For names that were loaded from a file. */
export function markAll(names: Names, starts: Uint32Array, count: number): void {
  names.marks = new Uint32Array(Math.ceil(names.bytes.length / BLOCK_BYTES) * WORDS_PER_BLOCK)
  for (let row = 0; row < count; row++) markName(names, starts[row] ?? 0)
}

function mayHold({ marks: all }: Names, block: number, marks: readonly number[]): boolean {
  const base = block * WORDS_PER_BLOCK
  for (const mark of marks) if (((all[base + (mark >>> 5)] ?? 0) & (1 << (mark & 31))) === 0) return false
  return true
}

function markName(names: Names, start: number): void {
  const { bytes } = names
  const base = Math.floor(start / BLOCK_BYTES) * WORDS_PER_BLOCK
  names.marks = roomFor(names.marks, base + WORDS_PER_BLOCK)
  const { marks } = names
  let a = bytes[start] ?? 0
  let b = a === 0 ? 0 : (bytes[start + 1] ?? 0)
  if (b === 0) return
  for (let at = start + 2, c = bytes[at] ?? 0; c !== 0; c = bytes[++at] ?? 0) {
    const mark = markOf(a, b, c)
    const word = base + (mark >>> 5)
    marks[word] = (marks[word] ?? 0) | (1 << (mark & 31))
    a = b
    b = c
  }
}

function markOf(a: number, b: number, c: number): number {
  return Math.imul(a | (b << 8) | (c << 16), 0x9e3779b1) >>> 20
}

/** Writes an ASCII name into `record`. @returns its length, or -1 for other names */
function asciiRecord(name: string): number {
  const { length } = name
  let hasUpper = false
  for (let at = 0; at < length; at++) {
    const code = name.charCodeAt(at)
    if (code >= 0x80) return -1
    const isUpper = code >= 65 && code <= 90
    hasUpper ||= isUpper
    record[at] = isUpper ? code + 32 : code
  }
  record[length] = 0
  if (!hasUpper) return length + 1
  for (let at = 0; at < length; at++) record[length + 1 + at] = name.charCodeAt(at)
  record[2 * length + 1] = 0
  return 2 * length + 2
}

function otherRecord(name: string): { length: number; both: boolean } {
  const compared = encoder.encode(folded(name))
  const own = nameToBytes(name)
  record.set(compared)
  record[compared.length] = 0
  if (Buffer.compare(compared, own) === 0) return { length: own.length + 1, both: false }
  record.set(own, compared.length + 1)
  record[compared.length + 1 + own.length] = 0
  return { length: compared.length + own.length + 2, both: true }
}
