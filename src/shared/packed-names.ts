import { grown, shared } from './column.ts'
import { bytesToName, nameToBytes } from './file-path.ts'

/** An ordered list of names: an array of strings or, for long lists, `PackedNames`. */
export interface Names extends Iterable<string> {
  readonly length: number
  at(index: number): string | undefined
  keys(): Iterable<number>
}

/**
 * Names as bytes, each terminated by NUL: a string takes six times the memory of its bytes. They are immutable, so
 * threads can share them.
 */
export interface NameBytes {
  readonly bytes: Uint8Array
  /** The start of each name, and after the last one the start of the next. */
  readonly starts: Uint32Array
}

/** Creates the string of a name on each access. */
export interface PackedNames extends Names, NameBytes {}

/** Restores names from another thread, which are passed without methods. */
export function unpackNames({ bytes, starts }: NameBytes): PackedNames {
  const length = starts.length - 1
  const textAt = (index: number): string => bytesToName(bytes.subarray(starts[index], (starts[index + 1] ?? 1) - 1))
  return {
    bytes,
    starts,
    length,
    at(index) {
      const row = index < 0 ? index + length : index
      return row >= 0 && row < length ? textAt(row) : undefined
    },
    keys: () => Array(length).keys(),
    *[Symbol.iterator]() {
      for (let row = 0; row < length; row++) yield textAt(row)
    },
  }
}

export function isPacked(names: Names): names is PackedNames {
  return 'bytes' in names
}

export function packNames(names: Names): PackedNames {
  if (isPacked(names)) return names
  const packer = createPacker(names.length)
  for (const name of names) packer.add(nameToBytes(name))
  return unpackNames(packer.end())
}

/** The data for another thread; shared without a copy. */
export function shareNames({ bytes, starts }: NameBytes): NameBytes {
  return { bytes: shared(bytes), starts: shared(starts) }
}

export function pickNames(names: Names, rows: Iterable<number>): Names {
  if (!isPacked(names)) return Array.from(rows, (row) => names.at(row) ?? '')
  const { bytes, starts } = names
  const packer = createPacker(names.length)
  for (const row of rows) packer.add(bytes, starts[row], (starts[row + 1] ?? 1) - 1)
  return unpackNames(packer.end())
}

const NAME_BYTES = 24

/** @param expected number of names */
export function createPacker(expected: number) {
  let bytes = new Uint8Array(expected * NAME_BYTES)
  let starts = new Uint32Array(expected + 1)
  let count = 0
  let end = 0
  return {
    /** The bytes of one name, without NUL. */
    add(name: Uint8Array, from: number = 0, to: number = name.length): void {
      const length = to - from
      bytes = grown(bytes, end + length + 1)
      starts = grown(starts, count + 2)
      for (let at = 0; at < length; at++) bytes[end + at] = name[from + at] ?? 0
      end += length
      bytes[end++] = 0
      starts[++count] = end
    },
    end: (): NameBytes => ({ bytes: bytes.subarray(0, end), starts: starts.subarray(0, count + 1) }),
  }
}
