import {
  childrenOf,
  FOLDER,
  folderAt,
  insert,
  isInside,
  isShared,
  kindAt,
  type Leaving,
  moveFolder,
  nameOfRow,
  remove,
  type Seen,
  type Tree,
  update,
} from './tree.ts'

/** What was found in one folder. */
export interface FolderFinding {
  readonly folder: number
  readonly seen: readonly Seen[]
  /** The names that were looked for, of which those not seen are gone; null when everything was. */
  readonly wanted: readonly string[] | null
}

export interface Events extends Leaving {
  /** A new folder, of which nothing is known. */
  onNew(folder: number): void
  /** Whether what was seen is that known folder, which is missed at its old place. */
  isMoved(folder: number, to: { folder: number; seen: Seen }): boolean
}

/** Brings the tree in step with what was found. A folder that left one place and was seen at another keeps what lies in it. */
export function applyFindings(tree: Tree, findings: readonly FolderFinding[], events: Events): void {
  const arrived: { folder: number; seen: Seen }[] = []
  const leaving: number[] = []
  for (const { folder, seen: all, wanted } of findings) {
    const rows = rowsNamed(tree, folder, wanted === null ? null : new Set(wanted))
    for (const seen of all) {
      const row = rows.get(seen.name)
      rows.delete(seen.name)
      if (row !== undefined && isSame(tree, row, seen)) {
        const node = tree.node[row] ?? 0
        // Another node has taken the name: through this one the former may have been written to before, which its other names are not told of.
        if (isShared(tree, row) && node !== seen.inode >>> 0) events.onShared(node)
        if (seen.isShared && (isChanged(tree, row, seen) || !isShared(tree, row))) events.onShared(seen.inode >>> 0)
        update(tree, row, seen)
        continue
      }
      if (row !== undefined) leaving.push(row)
      if (seen.isShared) events.onShared(seen.inode >>> 0)
      if (seen.kind === FOLDER) arrived.push({ folder, seen })
      else insert(tree, folder, seen)
    }
    // One by one: a million are too many arguments.
    for (const row of rows.values()) leaving.push(row)
  }
  const missed = new Map(leaving.filter((row) => kindAt(tree, row) === FOLDER).map((row) => folderByInode(tree, row)))
  for (const { folder, seen } of arrived) {
    const old = missed.get(seen.inode)
    if (old !== undefined && !isInside(tree, folder, old) && events.isMoved(old, { folder, seen })) moveFolder(tree, old, folder, seen)
    else events.onNew(folderAt(tree, insert(tree, folder, seen)))
  }
  // Nodes with other names perhaps were written to before these went.
  for (const row of leaving) if (kindAt(tree, row) !== 0) remove(tree, row, events)
}

function rowsNamed(tree: Tree, folder: number, wanted: ReadonlySet<string> | null): Map<string, number> {
  const rows = new Map<string, number>()
  if (wanted?.size === 0) return rows
  for (const row of childrenOf(tree, folder)) {
    const name = nameOfRow(tree, row)
    if (wanted === null || wanted.has(name)) rows.set(name, row)
  }
  return rows
}

/** Whether an entry may take over what is known by its name: for a folder only if it is that very folder. */
function isSame(tree: Tree, row: number, { kind, inode }: Seen): boolean {
  return kindAt(tree, row) === kind && (kind !== FOLDER || tree.folders.inode[folderAt(tree, row)] === inode)
}

function isChanged(tree: Tree, row: number, { size, modified }: Seen): boolean {
  return tree.size[row] !== size || tree.modified[row] !== modified
}

function folderByInode(tree: Tree, row: number): [number, number] {
  const folder = folderAt(tree, row)
  return [tree.folders.inode[folder] ?? 0, folder]
}
