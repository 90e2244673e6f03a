/** The nth other name for what is taken: `a.txt` → `a(1).txt`, the number before the last dot, of folders too (contract reference 1.9). */
export function numbered(name: string, n: number): string {
  const dot = name.lastIndexOf('.')
  return dot === -1 ? `${name}(${n})` : `${name.slice(0, dot)}(${n})${name.slice(dot)}`
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
