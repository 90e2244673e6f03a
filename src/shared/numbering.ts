import { MAX_NAME_BYTES } from './limits.ts'

/**
 * The nth alternative to a taken name: `a.txt` → `a(1).txt`, with the number before the last dot, of folders too. If that is longer than a name may
 * be, letters before the number are cut.
 */
export function numbered(name: string, n: number): string {
  const dot = name.lastIndexOf('.')
  const [stem, rest] = dot === -1 ? [name, `(${n})`] : [name.slice(0, dot), `(${n})${name.slice(dot)}`]
  return `${shortened(stem, MAX_NAME_BYTES - bytesOf(rest))}${rest}`
}

/** Whole characters from the start, up to this many bytes. */
function shortened(text: string, bytes: number): string {
  // A UTF-16 unit needs at most three bytes.
  if (text.length * 3 <= bytes || bytesOf(text) <= bytes) return text
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  let room = bytes
  const end = letters.findIndex((letter) => (room -= bytesOf(letter)) < 0)
  return letters.slice(0, end).join('')
}

const ENCODER = new TextEncoder()

function bytesOf(text: string): number {
  return ENCODER.encode(text).length
}

/**
 * Finds free names one after the other: the name itself, else the first free number. Remembers the last number of each name, so that many equal names
 * take no longer than different ones.
 * @param key what conflicting names have in common; the name itself by default
 */
export function createNumbering(): (name: string, isTaken: (name: string) => boolean, key?: string) => string {
  const reached = new Map<string, number>()
  return (name, isTaken, key = name) => {
    let n = reached.get(key) ?? 0
    let free = n === 0 ? name : numbered(name, n)
    while (isTaken(free)) free = numbered(name, ++n)
    if (n > 0) reached.set(key, n)
    return free
  }
}
