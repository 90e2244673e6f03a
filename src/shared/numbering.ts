/**
 * The nth other name for something whose name is taken: `b.txt` → `b(1).txt`, split at the last dot (contract reference 1.9).
 * A folder's name is not split.
 */
export function numbered(name: string, n: number, { isFolder }: { isFolder: boolean }): string {
  const dot = isFolder ? -1 : name.lastIndexOf('.')
  return dot < 0 ? `${name}(${n})` : `${name.slice(0, dot)}(${n})${name.slice(dot)}`
}
