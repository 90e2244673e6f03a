import { childrenOf, nameOfRow, type Tree } from './tree.ts'

/** The rows of a folder that were not found yet, by name. */
export type RowsByName = ReturnType<typeof rowsByName>

const FREE = 0
const TAKEN = 0xffffffff

/**
 * A hash table of numbers: a map by name needs a text for each, which took 80 MB for a folder of 300,000 entries.
 * @param wanted null for all
 */
export function rowsByName(tree: Tree, folder: number, wanted: ReadonlySet<string> | null) {
  const count = wanted?.size ?? countOf(childrenOf(tree, folder))
  const mask = 2 ** Math.ceil(Math.log2(2 * count + 1)) - 1
  /** Rows, plus one. */
  const table = new Uint32Array(mask + 1)
  if (count > 0)
    for (const row of childrenOf(tree, folder)) {
      const name = nameOfRow(tree, row)
      if (wanted?.has(name) === false) continue
      let slot = slotOf(name, mask)
      while (table[slot] !== FREE) slot = (slot + 1) & mask
      table[slot] = row + 1
    }
  return {
    /** Whether there were none from the start. */
    isEmpty: count === 0,
    /** The row with this name, once. */
    take(name: string): number | undefined {
      if (count === 0) return undefined
      for (let slot = slotOf(name, mask); table[slot] !== FREE; slot = (slot + 1) & mask) {
        const row = (table[slot] ?? 0) - 1
        if (table[slot] === TAKEN || nameOfRow(tree, row) !== name) continue
        table[slot] = TAKEN
        return row
      }
      return undefined
    },
    /** Those that were not taken. */
    *rest(): Iterable<number> {
      for (const entry of table) if (entry !== FREE && entry !== TAKEN) yield entry - 1
    },
  }
}

function countOf(rows: Iterable<number>): number {
  let count = 0
  for (const _ of rows) count++
  return count
}

function slotOf(name: string, mask: number): number {
  return Bun.hash.xxHash32(name) & mask
}
