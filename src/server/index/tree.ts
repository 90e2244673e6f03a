import type { NodeKind } from '../storage/storage.ts'
import { roomFor } from './columns.ts'
import { appendName, type Names, nameAt, noNames } from './names.ts'

/** The root's folder number. */
export const ROOT_FOLDER = 0
/** An invalid row. */
export const NO_ROW = 0xffffffff
/** An invalid folder number. */
export const NO_FOLDER = 0xffffffff

/** The kind of a row, in the low bits; 0 for a removed one. */
export const FILE = 1
export const FOLDER = 2
export const LINK = 3
export const SPECIAL = 4
const KIND_BITS = 0x0f
/** The disk's bytes of the name follow the compared ones. */
const BOTH_NAMES = 0x10
/** Has other hard links, through which it may change without an event for this name. */
const SHARED_NODE = 0x20

const DOT = 0x2e

const KINDS: readonly NodeKind[] = ['special', 'file', 'folder', 'link', 'special']

/** What the disk reports about an entry. */
export interface Seen {
  readonly name: string
  readonly kind: number
  readonly size: number
  readonly modified: number
  readonly inode: number
  /** Has other hard links. */
  readonly isShared: boolean
}

/**
 * A served tree in columns, one row per entry, 30 to 60 bytes each. Rows are only appended, so a row means the same entry until `compact`. A folder
 * has a row, which changes when it is renamed, and a number, which does not; rows refer to their folder by number, so that moving a folder costs the
 * same whatever its size.
 */
export interface Tree {
  names: Names
  rows: number
  removed: number
  /** Number of the parent folder. */
  parent: Uint32Array<ArrayBuffer>
  start: Uint32Array<ArrayBuffer>
  flags: Uint8Array<ArrayBuffer>
  /** In bytes; for a folder, its number. */
  size: Float64Array<ArrayBuffer>
  modified: Float64Array<ArrayBuffer>
  /** The lower 32 bits of the inode: hard links of one node share them. */
  node: Uint32Array<ArrayBuffer>
  /** The next row of the same folder, plus one; 0 for the last. Includes removed rows. */
  next: Uint32Array<ArrayBuffer>
  folders: Folders
}

export interface Folders {
  count: number
  /** `NO_ROW` for the root, and for a removed folder. */
  row: Uint32Array<ArrayBuffer>
  first: Uint32Array<ArrayBuffer>
  size: Float64Array<ArrayBuffer>
  inode: Float64Array<ArrayBuffer>
  /** Its ctime before it was read; NaN if that says nothing. */
  changed: Float64Array<ArrayBuffer>
  state: Uint8Array<ArrayBuffer>
  /** The number of its watch; -1 without. */
  watch: Int32Array<ArrayBuffer>
  /** Recursive totals. */
  fileSum: Float64Array<ArrayBuffer>
  folderSum: Float64Array<ArrayBuffer>
  byteSum: Float64Array<ArrayBuffer>
  /** What stands for everything below (`fingerprints.ts`); 0 if it has to be computed. Then it is 0 for the folders above as well. */
  print: Float64Array<ArrayBuffer>
}

/** States of a folder. */
export const GONE = 0
export const UNREAD = 1
export const READ = 2

export function emptyTree(): Tree {
  const none = new Uint32Array(0)
  const tree: Tree = {
    names: noNames(),
    rows: 0,
    removed: 0,
    parent: none,
    start: none,
    flags: new Uint8Array(0),
    size: new Float64Array(0),
    modified: new Float64Array(0),
    node: none,
    next: none,
    folders: {
      count: 0,
      row: none,
      first: none,
      size: new Float64Array(0),
      inode: new Float64Array(0),
      changed: new Float64Array(0),
      state: new Uint8Array(0),
      watch: new Int32Array(0),
      fileSum: new Float64Array(0),
      folderSum: new Float64Array(0),
      byteSum: new Float64Array(0),
      print: new Float64Array(0),
    },
  }
  addFolder(tree, NO_ROW, 0)
  return tree
}

export function kindAt({ flags }: Tree, row: number): number {
  return (flags[row] ?? 0) & KIND_BITS
}

export function kindName(kind: number): NodeKind {
  return KINDS[kind] ?? 'special'
}

export function isShared({ flags }: Tree, row: number): boolean {
  return ((flags[row] ?? 0) & SHARED_NODE) !== 0
}

export function nameOfRow(tree: Tree, row: number): string {
  return nameAt(tree.names, tree.start[row] ?? 0, hasBothNames(tree, row))
}

export function hasBothNames({ flags }: Tree, row: number): boolean {
  return ((flags[row] ?? 0) & BOTH_NAMES) !== 0
}

/** Both forms of a name begin alike. */
export function isDotfile({ names, start }: Tree, row: number): boolean {
  return names.bytes[start[row] ?? 0] === DOT
}

/** Totals of a folder without dotfiles: a million entries in a tenth of a second, in one step, so that the result is consistent. */
export function sumWithoutDotfiles(tree: Tree, folder: number): { files: number; folders: number; bytes: number } {
  const sum = { files: 0, folders: 0, bytes: 0 }
  const waiting = [folder]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const row of childrenOf(tree, next)) {
      if (isDotfile(tree, row)) continue
      if (kindAt(tree, row) === FOLDER) {
        sum.folders++
        waiting.push(folderAt(tree, row))
      } else {
        sum.files++
        sum.bytes += tree.size[row] ?? 0
      }
    }
  }
  return sum
}

/** The folder number of a row. */
export function folderAt({ size }: Tree, row: number): number {
  return size[row] ?? 0
}

/** In bytes, for any kind. */
export function sizeOf(tree: Tree, row: number): number {
  return kindAt(tree, row) === FOLDER ? (tree.folders.size[folderAt(tree, row)] ?? 0) : (tree.size[row] ?? 0)
}

/** The parent of a folder; null for the root and for a removed one. */
export function parentFolder({ folders, parent }: Tree, folder: number): number | null {
  const row = folders.row[folder] ?? NO_ROW
  return row === NO_ROW ? null : (parent[row] ?? ROOT_FOLDER)
}

export function isGone({ folders }: Tree, folder: number): boolean {
  return folders.state[folder] === GONE
}

/** Whether a folder is another one or inside it. */
export function isInside(tree: Tree, folder: number, outer: number): boolean {
  for (let at: number | null = folder; at !== null; at = parentFolder(tree, at)) if (at === outer) return true
  return false
}

/** The rows of a folder's entries. Rows appended meanwhile are not included. */
export function* childrenOf(tree: Tree, folder: number): Generator<number> {
  for (let at = tree.folders.first[folder] ?? 0; at !== 0; at = tree.next[at - 1] ?? 0) if (kindAt(tree, at - 1) !== 0) yield at - 1
}

/** @returns the row; the content of a new folder has not been read yet */
export function insert(tree: Tree, folder: number, seen: Seen): number {
  if (seen.kind !== FOLDER) {
    add(tree, folder, { files: 1, folders: 0, bytes: seen.size })
    return append(tree, folder, seen, seen.size)
  }
  add(tree, folder, { files: 0, folders: 1, bytes: 0 })
  const row = append(tree, folder, seen, tree.folders.count)
  const number = addFolder(tree, row, seen.inode)
  tree.folders.size[number] = seen.size
  return row
}

/** Updates size, time and hard links of an entry that is the same node, or replaces it. */
export function update(tree: Tree, row: number, seen: Seen): void {
  const isSame = tree.modified[row] === seen.modified && tree.node[row] === seen.inode >>> 0 && tree.size[row] === seen.size
  if (!isSame && seen.kind !== FOLDER) forgetPrints(tree, tree.parent[row] ?? ROOT_FOLDER)
  tree.modified[row] = seen.modified
  tree.node[row] = seen.inode
  tree.flags[row] = ((tree.flags[row] ?? 0) & ~SHARED_NODE) | (seen.isShared ? SHARED_NODE : 0)
  if (seen.kind === FOLDER) {
    tree.folders.size[folderAt(tree, row)] = seen.size
    return
  }
  const more = seen.size - (tree.size[row] ?? 0)
  tree.size[row] = seen.size
  if (more !== 0) add(tree, tree.parent[row] ?? ROOT_FOLDER, { files: 0, folders: 0, bytes: more })
}

export interface Leaving {
  /** A folder is removed, with its content. */
  onGone(folder: number): void
  /** A node that has other hard links. @param node as in the tree's column */
  onShared(node: number): void
}

/** Removes an entry with its content. */
export function remove(tree: Tree, row: number, rows: Leaving): void {
  const isFolder = kindAt(tree, row) === FOLDER
  const { fileSum, folderSum, byteSum } = tree.folders
  const number = folderAt(tree, row)
  const weight = isFolder
    ? { files: -(fileSum[number] ?? 0), folders: -(folderSum[number] ?? 0) - 1, bytes: -(byteSum[number] ?? 0) }
    : { files: -1, folders: 0, bytes: -(tree.size[row] ?? 0) }
  add(tree, tree.parent[row] ?? ROOT_FOLDER, weight)
  const leaving = isFolder ? [number] : []
  if (isShared(tree, row)) rows.onShared(tree.node[row] ?? 0)
  takeOut(tree, row)
  for (let folder = leaving.pop(); folder !== undefined; folder = leaving.pop()) {
    rows.onGone(folder)
    for (const child of childrenOf(tree, folder)) {
      if (isShared(tree, child)) rows.onShared(tree.node[child] ?? 0)
      if (kindAt(tree, child) === FOLDER) leaving.push(folderAt(tree, child))
      takeOut(tree, child)
    }
    tree.folders.state[folder] = GONE
    tree.folders.row[folder] = NO_ROW
    tree.folders.first[folder] = 0
  }
}

/** Moves a folder with its content. @returns its new row */
export function moveFolder(tree: Tree, number: number, folder: number, seen: Seen): number {
  const { fileSum, folderSum, byteSum, row } = tree.folders
  const old = row[number] ?? NO_ROW
  const weight = { files: fileSum[number] ?? 0, folders: (folderSum[number] ?? 0) + 1, bytes: byteSum[number] ?? 0 }
  add(tree, tree.parent[old] ?? ROOT_FOLDER, { files: -weight.files, folders: -weight.folders, bytes: -weight.bytes })
  takeOut(tree, old)
  add(tree, folder, weight)
  const now = append(tree, folder, seen, number)
  tree.folders.row[number] = now
  tree.folders.size[number] = seen.size
  return now
}

function takeOut(tree: Tree, row: number): void {
  forgetPrints(tree, tree.parent[row] ?? ROOT_FOLDER)
  tree.flags[row] = 0
  tree.removed += 1
}

function append(tree: Tree, folder: number, seen: Seen, size: number): number {
  forgetPrints(tree, folder)
  const row = tree.rows++
  tree.parent = roomFor(tree.parent, tree.rows)
  tree.start = roomFor(tree.start, tree.rows)
  tree.flags = roomFor(tree.flags, tree.rows)
  tree.size = roomFor(tree.size, tree.rows)
  tree.modified = roomFor(tree.modified, tree.rows)
  tree.node = roomFor(tree.node, tree.rows)
  tree.next = roomFor(tree.next, tree.rows)
  const { start, both } = appendName(tree.names, seen.name)
  tree.parent[row] = folder
  tree.start[row] = start
  tree.flags[row] = seen.kind | (both ? BOTH_NAMES : 0) | (seen.isShared ? SHARED_NODE : 0)
  tree.size[row] = size
  tree.modified[row] = seen.modified
  // Truncated to 32 bits.
  tree.node[row] = seen.inode
  tree.next[row] = tree.folders.first[folder] ?? 0
  tree.folders.first[folder] = row + 1
  return row
}

/** @returns its number */
export function addFolder({ folders }: Tree, row: number, inode: number): number {
  const number = folders.count++
  folders.row = roomFor(folders.row, folders.count)
  folders.first = roomFor(folders.first, folders.count)
  folders.size = roomFor(folders.size, folders.count)
  folders.inode = roomFor(folders.inode, folders.count)
  folders.changed = roomFor(folders.changed, folders.count)
  folders.state = roomFor(folders.state, folders.count)
  folders.watch = roomFor(folders.watch, folders.count)
  folders.fileSum = roomFor(folders.fileSum, folders.count)
  folders.folderSum = roomFor(folders.folderSum, folders.count)
  folders.byteSum = roomFor(folders.byteSum, folders.count)
  folders.print = roomFor(folders.print, folders.count)
  folders.row[number] = row
  folders.inode[number] = inode
  folders.changed[number] = Number.NaN
  folders.state[number] = UNREAD
  folders.watch[number] = -1
  return number
}

/** Something in a folder is different now. */
function forgetPrints(tree: Tree, folder: number): void {
  const { print } = tree.folders
  for (let at: number | null = folder; at !== null && (print[at] ?? 0) !== 0; at = parentFolder(tree, at)) print[at] = 0
}

function add(tree: Tree, folder: number, { files, folders, bytes }: { files: number; folders: number; bytes: number }): void {
  const { fileSum, folderSum, byteSum } = tree.folders
  for (let at: number | null = folder; at !== null; at = parentFolder(tree, at)) {
    fileSum[at] = (fileSum[at] ?? 0) + files
    folderSum[at] = (folderSum[at] ?? 0) + folders
    byteSum[at] = (byteSum[at] ?? 0) + bytes
  }
}
