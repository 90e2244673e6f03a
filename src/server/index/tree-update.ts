import type { RowsByName } from './rows-by-name.ts'
import {
  FOLDER,
  folderAt,
  insert,
  isInside,
  isShared,
  kindAt,
  type Leaving,
  moveFolder,
  remove,
  type Seen,
  type Tree,
  update,
} from './tree.ts'

export interface Events extends Leaving {
  /** A new folder, whose content is unknown. */
  onNew(folder: number): void
  /** Whether the entry is that known folder, which is missing at its old place. */
  isMoved(folder: number, to: { folder: number; seen: Seen }): boolean
  /** An entry is new, or has another size or time. */
  onFound?(folder: number, seen: Seen, change: 'appeared' | 'changed'): void
  /** An entry is about to leave the tree. */
  onMissed?(row: number): void
}

/** An update of the tree with what is found on the disk. */
export type Update = ReturnType<typeof beginUpdate>

/**
 * What is new or unchanged is applied at once, so that a long folder need not be collected in memory; everything else at the end, so that queries
 * never find a name twice.
 */
export function beginUpdate(tree: Tree, events: Events) {
  const arrived: { folder: number; seen: Seen }[] = []
  const leaving: number[] = []

  function add(folder: number, seen: Seen): void {
    events.onFound?.(folder, seen, 'appeared')
    const row = insert(tree, folder, seen)
    if (seen.kind === FOLDER) events.onNew(folderAt(tree, row))
  }

  return {
    /** An entry of a folder. @param rows of that folder, checked by this update */
    see(folder: number, seen: Seen, rows: RowsByName): void {
      const row = rows.take(seen.name)
      if (row !== undefined && isSame(tree, row, seen)) {
        const node = tree.node[row] ?? 0
        // Another node has taken the name: the former may have been written through this name before, which is not reported for its other names.
        if (isShared(tree, row) && node !== seen.inode >>> 0) events.onShared(node)
        if (seen.isShared && (isChanged(tree, row, seen) || !isShared(tree, row))) events.onShared(seen.inode >>> 0)
        if (seen.kind !== FOLDER && isChanged(tree, row, seen)) events.onFound?.(folder, seen, 'changed')
        update(tree, row, seen)
        return
      }
      if (row !== undefined) leaving.push(row)
      if (seen.isShared) events.onShared(seen.inode >>> 0)
      if (row === undefined && (seen.kind !== FOLDER || rows.isEmpty)) add(folder, seen)
      else arrived.push({ folder, seen })
    },
    /** What is left in `rows` has gone. */
    seenAll(rows: RowsByName): void {
      // One by one: a million would be too many arguments.
      for (const row of rows.rest()) leaving.push(row)
    },
    /** A folder that moved from one place that was seen to another keeps its content. */
    end(): void {
      for (const row of leaving) events.onMissed?.(row)
      const missed = new Map(leaving.filter((row) => kindAt(tree, row) === FOLDER).map((row) => folderByInode(tree, row)))
      for (const { folder, seen } of arrived) {
        const old = seen.kind === FOLDER ? missed.get(seen.inode) : undefined
        if (old !== undefined && !isInside(tree, folder, old) && events.isMoved(old, { folder, seen })) {
          events.onFound?.(folder, seen, 'appeared')
          moveFolder(tree, old, folder, seen)
        } else add(folder, seen)
      }
      // Nodes with other names may have been written to before these were removed.
      for (const row of leaving) if (kindAt(tree, row) !== 0) remove(tree, row, events)
    },
  }
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
