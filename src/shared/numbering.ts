import { MAX_NAME_BYTES } from './limits.ts'

/**
 * The nth other name for what is taken: `a.txt` → `a(1).txt`, the number before the last dot, of folders too. Where that
 * would be longer than a name may be, letters before the number make room for it.
 */
export function numbered(name: string, n: number): string {
  const dot = name.lastIndexOf('.')
  const [stem, rest] = dot === -1 ? [name, `(${n})`] : [name.slice(0, dot), `(${n})${name.slice(dot)}`]
  return `${shortened(stem, MAX_NAME_BYTES - bytesOf(rest))}${rest}`
}

/** Whole letters from the start, no more than so many bytes of them. */
function shortened(text: string, bytes: number): string {
  // No letter takes more than three bytes for each of its units.
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
 * Finds free names one after the other: the name itself, else the first number that is free. Remembers how far each name got, so that many that
 * are the same take no longer than many that are not.
 * @param key what names have in common that take each other's place; the name itself when not said
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
