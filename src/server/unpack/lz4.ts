import { refuse } from './raw-entry.ts'

/* LZ4 frames (lz4_Frame_format.md 1.6.4), concatenated; the package for them needs the whole file in memory. */
const FRAME = 0x184d2204
const SKIPPABLE = 0x184d2a50
/** Maximum distance of a match. */
const WINDOW_BYTES = 64 * 1024
const MOST_BLOCK_BYTES = [0, 0, 0, 0, 64 * 1024, 256 * 1024, 1024 * 1024, 4 * 1024 * 1024]

export async function* lz4Decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const input = createPull(bytes)
  for (;;) {
    const magic = await input.number32OrEnd()
    if (magic === null) return
    if (magic === FRAME) yield* frame(input)
    else if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) await input.skip(await input.number32())
    else refuse('damaged')
  }
}

async function* frame(input: Pull): AsyncGenerator<Uint8Array, void> {
  const [flags = 0, sizes = 0] = await input.take(2)
  const isLinked = (flags & 0x20) === 0
  const most = MOST_BLOCK_BYTES[(sizes >>> 4) & 7] ?? 0
  if (flags >>> 6 !== 1 || most === 0) refuse('damaged')
  // Content size and dictionary id: the blocks tell the size, and dictionaries are not available.
  await input.skip(((flags & 0x08) === 0 ? 0 : 8) + ((flags & 0x01) === 0 ? 0 : 4) + 1)
  const sum = (flags & 0x04) === 0 ? null : createXxHash32()
  let before: Uint8Array = new Uint8Array(0)
  for (;;) {
    const length = await input.number32()
    if (length === 0) break
    const isStored = length >>> 31 === 1
    const size = length & 0x7fffffff
    if (size > most) refuse('damaged')
    const block = await input.take(size)
    if ((flags & 0x10) !== 0 && (await input.number32()) !== createXxHash32().update(block).digest()) refuse('damaged')
    const plain = isStored ? block : decodeBlock(block, { before, most })
    if (isLinked) before = Buffer.concat([before, plain]).subarray(-WINDOW_BYTES)
    sum?.update(plain)
    yield plain
  }
  if (sum !== null && (await input.number32()) !== sum.digest()) refuse('damaged')
}

/** One block (lz4_Block_format.md): repeated literals and matches. */
export function decodeBlock(block: Uint8Array, { before, most }: { before: Uint8Array; most: number }): Uint8Array {
  const out = Buffer.allocUnsafe(before.length + most)
  out.set(before)
  let to = before.length
  let at = 0
  const lengthFrom = (first: number): number => {
    let length = first
    if (first !== 15) return length
    for (let more = 255; more === 255; length += more) more = block[at++] ?? refuse('damaged')
    return length
  }
  while (at < block.length) {
    const token = block[at++] ?? 0
    const literals = lengthFrom(token >>> 4)
    if (at + literals > block.length || to + literals > out.length) refuse('damaged')
    out.set(block.subarray(at, at + literals), to)
    at += literals
    to += literals
    if (at >= block.length) break
    const back = (block[at] ?? 0) | ((block[at + 1] ?? 0) << 8)
    at += 2
    const length = lengthFrom(token & 15) + 4
    if (at > block.length || back === 0 || back > to || to + length > out.length) refuse('damaged')
    if (back >= length) out.copyWithin(to, to - back, to - back + length)
    // A match may reach into what it makes.
    else for (let i = 0; i < length; i++) out[to + i] = out[to + i - back] ?? 0
    to += length
  }
  return out.subarray(before.length, to)
}

/* XXH32 (xxhash_spec.md) with seed 0, for content that arrives in pieces; the runtime's needs it whole. */
const P1 = 0x9e3779b1
const P2 = 0x85ebca77
const P3 = 0xc2b2ae3d
const P4 = 0x27d4eb2f
const P5 = 0x165667b1
const STRIPE_BYTES = 16

interface XxHash32 {
  update(bytes: Uint8Array): XxHash32
  digest(): number
}

function createXxHash32(): XxHash32 {
  const lanes = new Uint32Array([P1 + P2, P2, 0, -P1])
  let rest = Buffer.alloc(0)
  let total = 0

  const hash: XxHash32 = {
    update(bytes) {
      total += bytes.length
      const all = rest.length === 0 ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : Buffer.concat([rest, bytes])
      let at = 0
      for (; at + STRIPE_BYTES <= all.length; at += STRIPE_BYTES) {
        for (let lane = 0; lane < 4; lane++) {
          lanes[lane] = Math.imul(rotated((lanes[lane] ?? 0) + Math.imul(all.readUInt32LE(at + lane * 4), P2), 13), P1)
        }
      }
      // Kept longer than the caller keeps its bytes.
      rest = Buffer.from(all.subarray(at))
      return hash
    },
    digest() {
      const [a = 0, b = 0, c = 0, d = 0] = lanes
      let sum = total >= STRIPE_BYTES ? rotated(a, 1) + rotated(b, 7) + rotated(c, 12) + rotated(d, 18) : P5
      sum += total
      let at = 0
      for (; at + 4 <= rest.length; at += 4) sum = Math.imul(rotated(sum + Math.imul(rest.readUInt32LE(at), P3), 17), P4)
      for (; at < rest.length; at++) sum = Math.imul(rotated(sum + Math.imul(rest[at] ?? 0, P5), 11), P1)
      sum = Math.imul(sum ^ (sum >>> 15), P2)
      sum = Math.imul(sum ^ (sum >>> 13), P3)
      return (sum ^ (sum >>> 16)) >>> 0
    },
  }
  return hash
}

function rotated(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}

/** Reads bytes in pieces of any length; an end in the middle of one is `damaged`. */
type Pull = ReturnType<typeof createPull>

function createPull(bytes: AsyncIterable<Uint8Array>) {
  const source = bytes[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array(0)

  async function some(most: number): Promise<Uint8Array | null> {
    while (rest.length === 0) {
      const { value, done } = await source.next()
      if (done === true) return null
      rest = value
    }
    const piece = rest.subarray(0, most)
    rest = rest.subarray(piece.length)
    return piece
  }

  async function takeOrEnd(length: number): Promise<Uint8Array | null> {
    const out = new Uint8Array(length)
    for (let got = 0; got < length;) {
      const piece = await some(length - got)
      if (piece === null) return got === 0 ? null : refuse('damaged')
      out.set(piece, got)
      got += piece.length
    }
    return out
  }

  async function number32OrEnd(): Promise<number | null> {
    const four = await takeOrEnd(4)
    return four && Buffer.from(four).readUInt32LE()
  }

  return {
    take: async (length: number): Promise<Uint8Array> => (await takeOrEnd(length)) ?? refuse('damaged'),
    async skip(length: number): Promise<void> {
      for (let left = length; left > 0;) left -= (await some(left))?.length ?? refuse('damaged')
    },
    /** Little endian. */
    number32: async (): Promise<number> => (await number32OrEnd()) ?? refuse('damaged'),
    /** Null if the bytes end before. */
    number32OrEnd,
  }
}
