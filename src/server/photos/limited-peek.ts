import type { Peek } from '../previews/tiff.ts'

/** Metadata stand at the beginning as a rule. */
const FIRST_BYTES = 64 * 1024
const NEXT_BYTES = 16 * 1024
/** A file that needs more has no facts: it was made to keep us busy. */
const MOST_BYTES = 2 * 1024 ** 2
const MOST_READS = 64

/** Reads a file by ranges, through a window on it. Fails with a `RangeError` beyond the limits of one file. */
export function limitedPeek(peek: Peek, size: number): Peek {
  let window: Uint8Array = new Uint8Array()
  let start = 0
  let reads = 0
  let total = 0
  return async (at, length) => {
    const wanted = Math.min(length, size - at)
    if (wanted <= 0) return new Uint8Array()
    if (at < start || at + wanted > start + window.length) {
      const count = Math.min(Math.max(wanted, reads === 0 ? FIRST_BYTES : NEXT_BYTES), size - at)
      reads++
      total += count
      if (reads > MOST_READS || total > MOST_BYTES) throw new RangeError('too much to read')
      window = await peek(at, count)
      start = at
    }
    return window.subarray(at - start, at - start + wanted)
  }
}

/** A part of a file as a file of its own. */
export function peekWithin(peek: Peek, { start, end }: Span): Peek {
  return (at, length) => peek(start + at, Math.max(0, Math.min(length, end - start - at)))
}

export interface Span {
  readonly start: number
  /** Not included. */
  readonly end: number
}

/** For reading numbers; reading beyond its end is a `RangeError`. */
export async function viewAt(peek: Peek, at: number, length: number): Promise<DataView> {
  const bytes = await peek(at, length)
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Bytes as Latin-1, for signatures and names of parts. */
export function ascii(view: DataView, at: number, length: number): string {
  let text = ''
  for (let i = 0; i < length; i++) text += String.fromCharCode(view.getUint8(at + i))
  return text
}
