import { lz4Decoded } from '../../../src/server/unpack/lz4.ts'
import { ProblemError } from '../../../src/server/unpack/raw-entry.ts'
import { must, split, type Target } from '../target.ts'

const FRAME = [0x04, 0x22, 0x4d, 0x18]
/** A literal and a match that reaches into itself. */
const BLOCK = [0x1f, 0x61, 0x01, 0x00, 0x05, 0x50, 0x62, 0x62, 0x62, 0x62, 0x62]
/** The largest block is 4 MiB, and each byte of one may stand for 255 at most. */
const MOST_RATIO = 256

/** Frames of LZ4, which we take apart ourselves. The first byte says how the others arrive: in pieces of so many. */
export const target: Target = {
  seeds: [
    Uint8Array.of(0, ...FRAME, 0x60, 0x40, 0x82, BLOCK.length, 0, 0, 0, ...BLOCK, 0, 0, 0, 0),
    Uint8Array.of(3, ...FRAME, 0x40, 0x40, 0xc0, 3, 0, 0, 0x80, 1, 2, 3, BLOCK.length, 0, 0, 0, ...BLOCK, 0, 0, 0, 0),
    Uint8Array.of(1, 0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9, ...FRAME, 0x68, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    Uint8Array.of(0, ...FRAME, 0x64, 0x40, 0xa7, 0, 0, 0, 0, 0x05, 0x5d, 0xcc, 0x02),
  ],
  // A byte of a length is 255 bytes of content, one step each.
  stepsPerByte: 2000,
  async holds(bytes) {
    const { picks, rest } = split(bytes, 1)
    let length = 0
    try {
      for await (const piece of lz4Decoded(pieces(rest, picks[0] ?? 0))) length += piece.length
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
    }
    must(length <= rest.length * MOST_RATIO, 'more comes out than can have gone in')
  },
}

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  if (size === 0) yield bytes
  else for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
