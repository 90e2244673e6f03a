/** Numbers from 0 to before 1, the same ones for the same seed (mulberry32). */
export type Dice = (below: number) => number

/** @param seed whole, of 32 bits */
export function createDice(seed: number): Dice {
  let state = seed | 0
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** What a change may take its parts from. */
export interface Material {
  readonly dice: Dice
  readonly words: readonly Uint8Array[]
  /** Another input that went somewhere. */
  readonly other: Uint8Array
  /** Bytes. */
  readonly most: number
}

const BYTES = [0, 1, 9, 10, 32, 34, 37, 44, 45, 46, 47, 48, 57, 58, 60, 61, 92, 127, 128, 255]

/** Up to eight small changes, one after the other. */
export function mutate(input: Uint8Array, material: Material): Uint8Array {
  const { dice, most } = material
  let bytes = input
  for (let left = 1 << dice(4); left > 0; left--) bytes = CHANGES[dice(CHANGES.length)]?.(bytes, material) ?? bytes
  return bytes.length > most ? bytes.slice(0, most) : bytes
}

type Change = (bytes: Uint8Array, material: Material) => Uint8Array

const CHANGES: readonly Change[] = [
  (bytes, { dice }) => changed(bytes, dice, (byte) => byte ^ (1 << dice(8))),
  (bytes, { dice }) => changed(bytes, dice, () => dice(256)),
  (bytes, { dice }) => changed(bytes, dice, () => BYTES[dice(BYTES.length)] ?? 0),
  (bytes, { dice }) => changed(bytes, dice, (byte) => byte + dice(33) - 16),
  (bytes, { dice }) => spliced(bytes, dice(bytes.length + 1), 0, Uint8Array.of(BYTES[dice(BYTES.length)] ?? 0)),
  (bytes, { dice }) => spliced(bytes, dice(bytes.length), 1 + dice(Math.min(bytes.length, 1 << dice(8))), NOTHING),
  (bytes, { dice }) => spliced(bytes, dice(bytes.length + 1), 0, piece(bytes, dice)),
  (bytes, { dice }) => spliced(bytes, dice(bytes.length + 1), dice(9), piece(bytes, dice)),
  (bytes, { dice, words }) => spliced(bytes, dice(bytes.length + 1), 0, words[dice(words.length)] ?? NOTHING),
  (bytes, { dice, words }) => {
    const word = words[dice(words.length)] ?? NOTHING
    return spliced(bytes, dice(bytes.length + 1), word.length, word)
  },
  (bytes, { dice, other }) => spliced(bytes, dice(bytes.length + 1), 0, piece(other, dice)),
  (bytes, { dice, other }) => spliced(bytes, dice(bytes.length + 1), bytes.length, other.subarray(dice(other.length + 1))),
]

const NOTHING = new Uint8Array(0)

function changed(bytes: Uint8Array, dice: Dice, change: (byte: number) => number): Uint8Array {
  if (bytes.length === 0) return bytes
  const out = bytes.slice()
  const at = dice(bytes.length)
  out[at] = change(out[at] ?? 0)
  return out
}

function piece(bytes: Uint8Array, dice: Dice): Uint8Array {
  const start = dice(bytes.length + 1)
  return bytes.subarray(start, start + 1 + dice(1 << dice(8)))
}

/** The bytes with `insert` where `count` of them, from `at` on, were. */
export function spliced(bytes: Uint8Array, at: number, count: number, insert: Uint8Array): Uint8Array {
  const rest = bytes.subarray(Math.min(bytes.length, at + count))
  const out = new Uint8Array(at + insert.length + rest.length)
  out.set(bytes.subarray(0, at))
  out.set(insert, at)
  out.set(rest, at + insert.length)
  return out
}
