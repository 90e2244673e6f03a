/** The nth other name for what is taken: `a.txt` → `a(1).txt`, the number before the last dot, of folders too (contract reference 1.9). */
export function numbered(name: string, n: number): string {
  const dot = name.lastIndexOf('.')
  return dot === -1 ? `${name}(${n})` : `${name.slice(0, dot)}(${n})${name.slice(dot)}`
}
