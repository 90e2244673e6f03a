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
  /** The names that were checked; those not seen have gone. Null if the whole folder was read. */
  readonly wanted: readonly string[] | null
}

export interface Events extends Leaving {
  /** A new folder, whose content is unknown. */
  onNew(folder: number): void
  /** Whether the entry is that known folder, which is missing at its old place. */
  isMoved(folder: number, to: { folder: number; seen: Seen }): boolean
}

/** Updates the tree with what was found. A folder that moved from one place to another keeps its content. */
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
        // Another node has taken the name: the former may have been written through this name before, which is not reported for its other names.
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
    // One by one: a million would be too many arguments.
    for (const row of rows.values()) leaving.push(row)
  }
  const missed = new Map(leaving.filter((row) => kindAt(tree, row) === FOLDER).map((row) => folderByInode(tree, row)))
  for (const { folder, seen } of arrived) {
    const old = missed.get(seen.inode)
    if (old !== undefined && !isInside(tree, folder, old) && events.isMoved(old, { folder, seen })) moveFolder(tree, old, folder, seen)
    else events.onNew(folderAt(tree, insert(tree, folder, seen)))
  }
  // Nodes with other names may have been written to before these were removed.
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

/** Whether an entry is the one that is known by its name; a folder must have the same inode. */
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
