import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'bun:test'
import { property, assert, uint8Array } from 'fast-check'
import { combineCrc32 } from './crc32.ts'
import { addSpan, firstUnknown, PIECE_BYTES, type Span, wholeOf } from './spans.ts'

describe('checksums', () => {
  it('of two parts combine into the checksum of the whole', () => {
    assert(
      property(uint8Array({ maxLength: 3000 }), uint8Array({ maxLength: 3000 }), (a, b) => {
        expect(combineCrc32(crc32(a), crc32(b), b.length)).toBe(crc32(Buffer.concat([a, b])))
      }),
    )
  })

  it('of pieces combine in any order, and are complete when no piece is missing', () => {
    const bytes = new Uint8Array(2 * PIECE_BYTES + 1000).map((_, i) => i * 31)
    const piece = (n: number): Span => ({ first: n, end: n + 1, crc: crc32(bytes.subarray(n * PIECE_BYTES, (n + 1) * PIECE_BYTES)) })
    const some = addSpan(addSpan([], piece(2), bytes.length), piece(0), bytes.length)
    expect([some.length, wholeOf(some, bytes.length), firstUnknown(some)]).toEqual([2, null, 1])
    const all = addSpan(some, piece(1), bytes.length)
    expect(all).toEqual([{ first: 0, end: 3, crc: crc32(bytes) }])
    expect(wholeOf(all, bytes.length)).toBe(crc32(bytes))
    expect(addSpan(all, piece(1), bytes.length)).toEqual(all)
  })
})
