import { createNumbering } from '../../shared/numbering.ts'
import type { Names } from '../../shared/packed-names.ts'

/** Windows opens a device whatever the extension and case. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i
/** Separators and drives of other systems, control characters, and characters that change the reading direction (GHSA-gxjx-7m74-hcq8). */
const UNSAFE = /[\\:\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Names checked between two pauses. */
const NAMES_AT_ONCE = 256

/** A name that stays in its folder wherever it is unpacked; most names already do. */
export function safeName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(UNSAFE, '_')
    .replace(/(?<![. ])[. ]+$/, (end) => '_'.repeat(end.length))
  return DEVICE.test(plain) ? `_${plain}` : plain
}

/** Safe names for those names of one folder that are not safe, by their indices; they get a number if necessary. @param pause awaited at times */
export async function saferNames(names: Names, pause: () => Promise<void>): Promise<Map<number, string>> {
  const unsafe = new Map<number, string>()
  for (const index of names.keys()) {
    if (index % NAMES_AT_ONCE === 0) await pause()
    const name = names.at(index) ?? ''
    if (safeName(name) !== name) unsafe.set(index, name)
  }
  if (unsafe.size === 0) return unsafe
  const taken = new Set([...names].filter((_, index) => !unsafe.has(index)))
  const numbering = createNumbering()
  const sorted = [...unsafe].sort(([, a], [, b]) => (a < b ? -1 : 1))
  return new Map(sorted.map(([index, name]) => [index, freeName(safeName(name), taken, numbering)]))
}

/** The name, or the first numbered one that is free; it is taken afterwards. */
export function freeName(name: string, taken: Set<string>, numbering = createNumbering()): string {
  const free = numbering(name, (one) => taken.has(one))
  taken.add(free)
  return free
}
