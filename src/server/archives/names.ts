import { createNumbering } from '../../shared/numbering.ts'

/** Windows opens a device whatever the extension and case. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i
/** Separators and drives of other systems, control characters, and characters that change the reading direction (GHSA-gxjx-7m74-hcq8). */
const UNSAFE = /[\\:\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** A name that stays in its folder wherever it is unpacked; most names already do. */
export function safeName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(UNSAFE, '_')
    .replace(/(?<![. ])[. ]+$/, (end) => '_'.repeat(end.length))
  return DEVICE.test(plain) ? `_${plain}` : plain
}

/** Safe names for the names of one folder: safe names are kept, the others get a number if necessary. */
export function safeNames(names: readonly string[]): string[] {
  const safe = names.map(safeName)
  if (safe.every((name, i) => name === names[i])) return safe
  const taken = new Set(safe.filter((name, i) => name === names[i]))
  const numbering = createNumbering()
  return safe.map((name, i) => (name === names[i] ? name : freeName(name, taken, numbering)))
}

/** The name, or the first numbered one that is free; it is taken afterwards. */
export function freeName(name: string, taken: Set<string>, numbering = createNumbering()): string {
  const free = numbering(name, (one) => taken.has(one))
  taken.add(free)
  return free
}
