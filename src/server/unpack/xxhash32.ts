/* XXH32 (xxhash_spec.md) with seed 0, for content that arrives in pieces; the runtime's needs it whole. */
const P1 = 0x9e3779b1
const P2 = 0x85ebca77
const P3 = 0xc2b2ae3d
const P4 = 0x27d4eb2f
const P5 = 0x165667b1
const STRIPE_BYTES = 16

export interface XxHash32 {
  update(bytes: Uint8Array): XxHash32
  /** Unsigned. */
  digest(): number
}

export function createXxHash32(): XxHash32 {
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
