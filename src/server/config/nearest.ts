/** The name that a mistyped one was probably meant to be; case, dashes and underscores are ignored. */
export function nearest<T extends string>(written: string, names: readonly T[]): T | null {
  const near = names.map((name) => ({ name, away: distance(plain(written), plain(name)) })).toSorted((a, b) => a.away - b.away)
  const [best] = near
  return best !== undefined && best.away <= 2 && best.away <= plain(best.name).length / 3 ? best.name : null
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '')
}

/** Number of letters to add, drop or change (Levenshtein); two swapped letters count as one. */
function distance(a: string, b: string): number {
  if (a !== b && [...a].toSorted().join('') === [...b].toSorted().join('')) return 1
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (letter === b[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change))
    }
    row = next
  }
  return row[b.length] ?? 0
}
