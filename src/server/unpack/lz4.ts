import { createXxHash32 } from './xxhash32.ts'
import { createPull, type Pull } from './pull.ts'
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
