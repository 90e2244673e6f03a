import { type FilePath, joinPath, nameOf, parentOf, ROOT, segmentsOf } from '../../shared/file-path.ts'
import type { JournalEntry } from '../journal/operation-row.ts'

/** A node of a span of the journal. Two places of it are known while the span is read from its end: in the past that is reached, and on the disk. */
export interface Node {
  /** In the past; null for the root, and where it did not exist. */
  parent: Node | null
  name: string
  /** Of those that any operation touches. */
  readonly children: Map<string, Node>
  /** On the disk, as soon as the steps so far are done; null for the root, and where it is not there. */
  diskParent: Node | null
  diskName: string
  readonly diskChildren: Map<string, Node>
  /** The deletion by which it is in the trash now; null if it is not. */
  readonly trashed: JournalEntry | null
  /** The operation of the span by which it appeared. */
  born: JournalEntry | null
  /** Everything that was in it at any time of the span. */
  readonly contained: Set<Node>
  /** Operations of the span on the node itself, the newest first. */
  readonly entries: JournalEntry[]
}

/** One operation of a span, and the node that it changed. */
export interface Change {
  readonly entry: JournalEntry
  readonly node: Node
  /** Where the node was before, if it was anywhere. */
  readonly before: { readonly parent: Node; readonly name: string } | null
  /** Whether the node was strictly below the folder in question, before or afterwards. */
  readonly isInside: boolean
}

export interface Span {
  /** The newest first. */
  readonly changes: readonly Change[]
  readonly root: Node
}

/**
 * Reads operations from the last to the first, and finds which of them are of the same node, whatever moved in between.
 * @param entries the oldest first
 * @param folder where the folder in question is now; everything is inside of the root
 */
export function spanOf(entries: readonly JournalEntry[], folder: FilePath = ROOT): Span {
  const root = newNode(null, '')
  /** By the id of the deletion. */
  const inTrash = new Map<string, Node>()
  const changes: Change[] = []

  function find(path: FilePath): Node {
    let node = root
    for (const name of segmentsOf(path)) {
      const next = node.children.get(name) ?? newNode(node, name)
      attach(next, node, name)
      node = next
    }
    return node
  }

  const top = find(folder)
  const isInside = (node: Node): boolean => {
    for (let above = node.parent; above !== null; above = above.parent) if (above === top) return true
    return false
  }

  for (const entry of entries.toReversed()) {
    if (entry.path === ROOT) continue
    const isBack = entry.kind === 'delete'
    const node = isBack ? (inTrash.get(entry.id) ?? newNode(null, nameOf(entry.path), entry)) : find(entry.path)
    const was = isInside(node)
    node.entries.push(entry)
    let before: Change['before'] = null
    if (entry.kind !== 'replace') {
      detach(node)
      const place = isBack ? entry.path : entry.kind === 'move' ? entry.origin : null
      if (place !== null && place !== ROOT) {
        before = { parent: find(parentOf(place)), name: nameOf(place) }
        attach(node, before.parent, before.name)
      }
      if (entry.kind === 'restore' && entry.kept !== null) inTrash.set(entry.kept.id, node)
      if (entry.kind === 'create' || entry.kind === 'copy') node.born = entry
    }
    changes.push({ entry, node, before, isInside: was || isInside(node) })
  }
  return { changes, root }
}

function newNode(parent: Node | null, name: string, trashed: JournalEntry | null = null): Node {
  const tree = { children: new Map<string, Node>(), diskChildren: new Map<string, Node>() }
  const node: Node = { ...tree, parent, name, diskParent: parent, diskName: name, born: null, contained: new Set(), entries: [], trashed }
  parent?.diskChildren.set(name, node)
  return node
}

function attach(node: Node, parent: Node, name: string): void {
  node.parent = parent
  node.name = name
  parent.children.set(name, node)
  parent.contained.add(node)
}

function detach(node: Node): void {
  if (node.parent?.children.get(node.name) === node) node.parent.children.delete(node.name)
  node.parent = null
}

/** Null if it is not there, or what it is in is not. */
export function diskPathOf(node: Node, root: Node): FilePath | null {
  if (node === root) return ROOT
  const above = node.diskParent === null ? null : diskPathOf(node.diskParent, root)
  return above === null ? null : joinPath(above, node.diskName)
}

/** @param to null if it is not on the disk any more */
export function setDiskPlace(node: Node, to: { readonly parent: Node; readonly name: string } | null): void {
  if (node.diskParent?.diskChildren.get(node.diskName) === node) node.diskParent.diskChildren.delete(node.diskName)
  node.diskParent = to?.parent ?? null
  if (to === null) return
  node.diskName = to.name
  to.parent.diskChildren.set(to.name, node)
}
