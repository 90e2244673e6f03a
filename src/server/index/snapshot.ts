import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readdirSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { BLOCK_BYTES, markAll } from './names.ts'
import { emptyTree, type Tree } from './tree.ts'

/**
 * File format of a tree: eight bytes that identify the format, five counts (`Head`), the indexed root, every column as in memory, and the CRC-32 of
 * all that. Numbers are little-endian, as on every supported machine. A file that differs in any way is not a snapshot.
 */
const MAGIC = Buffer.from('SATCHIX1')
const COUNTS = 5
const HEAD_BYTES = MAGIC.length + COUNTS * 8
const PIECE_BYTES = 1024 * 1024
const TEMPORARY = '.new'
const LEFT_AFTER_MS = 3600_000

interface Head {
  readonly rows: number
  readonly removed: number
  readonly folders: number
  /** Bytes of all names. */
  readonly names: number
}

const ROW_COLUMNS = ['parent', 'start', 'flags', 'size', 'modified', 'node', 'next'] as const
const BYTES_PER_ROW = 4 + 4 + 1 + 8 + 8 + 4 + 4
const FOLDER_COLUMNS = ['row', 'first', 'size', 'inode', 'changed', 'state', 'fileSum', 'folderSum', 'byteSum'] as const
const BYTES_PER_FOLDER = 4 + 4 + 8 + 8 + 8 + 1 + 8 + 8 + 8

/**
 * Writes a tree to a temporary file and renames it when all of it is on the disk. The tree may change as soon as this has returned its promise. Servers of
 * one tree may share the file: each writes a temporary one of its own.
 */
export async function writeSnapshot(file: string, root: string, tree: Tree): Promise<void> {
  removeLeftovers(file)
  const temporary = `${file}.${randomUUID()}${TEMPORARY}`
  const fd = openSync(temporary, 'w', 0o600)
  try {
    writeAll(fd, root, tree)
  } finally {
    closeSync(fd)
  }
  await syncToDisk(temporary)
  renameSync(temporary, file)
  await syncToDisk(dirname(file))
}

/** What a server that was killed was writing. */
function removeLeftovers(file: string): void {
  const folder = dirname(file)
  const before = Date.now() - LEFT_AFTER_MS
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(file)}.`) || !name.endsWith(TEMPORARY)) continue
    const path = join(folder, name)
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? before) < before) rmSync(path, { force: true })
  }
}

/** @returns null if there is none, or it is damaged or of another tree; it is removed then */
export function readSnapshot(file: string, root: string): Tree | null {
  try {
    return readAll(file, root)
  } catch {
    rmSync(file, { force: true })
    return null
  }
}

function writeAll(fd: number, root: string, tree: Tree): void {
  const { rows, removed, names, folders } = tree
  const mark = Buffer.from(root)
  const head = Buffer.alloc(HEAD_BYTES)
  MAGIC.copy(head)
  for (const [place, count] of [mark.length, rows, removed, folders.count, names.end].entries())
    head.writeDoubleLE(count, MAGIC.length + place * 8)
  const parts = [head, mark, ...columnsOf(tree)]
  // The runtime's own CRC-32, for reading as well: `node:zlib` would cost this thread a megabyte permanently.
  let sum = 0
  for (const part of parts) {
    sum = Bun.hash.crc32(part, sum)
    for (let at = 0; at < part.length;) at += writeSync(fd, part, at, Math.min(PIECE_BYTES, part.length - at))
  }
  const tail = Buffer.alloc(4)
  tail.writeUInt32LE(sum)
  writeSync(fd, tail)
}

function readAll(file: string, root: string): Tree {
  const fd = openSync(file, 'r')
  try {
    let sum = 0
    const take = (into: Uint8Array): void => {
      for (let at = 0; at < into.length;) {
        const got = readSync(fd, into, at, Math.min(PIECE_BYTES, into.length - at), null)
        if (got === 0) throw new Error('cut short')
        at += got
      }
      sum = Bun.hash.crc32(into, sum)
    }
    const head = Buffer.alloc(HEAD_BYTES)
    take(head)
    if (!head.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error('another format')
    const [length = 0, rows = 0, removed = 0, folders = 0, names = 0] = Array.from({ length: COUNTS }, (_, place) =>
      head.readDoubleLE(MAGIC.length + place * 8),
    )
    const mark = Buffer.from(root)
    const expected = HEAD_BYTES + length + rows * BYTES_PER_ROW + folders * BYTES_PER_FOLDER + names + 4
    // Before memory is allocated.
    if (length !== mark.length || statSync(file).size !== expected) throw new Error('another length')
    const kept = Buffer.alloc(length)
    take(kept)
    if (!kept.equals(mark)) throw new Error('another root')
    const tree = treeFor({ rows, removed, folders, names })
    const columns = columnsOf(tree)
    for (const column of columns) take(column)
    const wanted = sum
    const tail = Buffer.alloc(4)
    take(tail)
    if (tail.readUInt32LE(0) !== wanted) throw new Error('broken')
    markAll(tree.names, tree.start, tree.rows)
    return tree
  } finally {
    closeSync(fd)
  }
}

/** An empty tree with the sizes in the head. */
function treeFor({ rows, removed, folders: count, names }: Head): Tree {
  const tree = emptyTree()
  const watch = new Int32Array(count).fill(-1)
  return {
    ...tree,
    rows,
    removed,
    names: { bytes: new Uint8Array(Math.ceil(names / BLOCK_BYTES) * BLOCK_BYTES), end: names, marks: new Uint32Array(0) },
    parent: new Uint32Array(rows),
    start: new Uint32Array(rows),
    flags: new Uint8Array(rows),
    size: new Float64Array(rows),
    modified: new Float64Array(rows),
    node: new Uint32Array(rows),
    next: new Uint32Array(rows),
    folders: {
      count,
      watch,
      row: new Uint32Array(count),
      first: new Uint32Array(count),
      size: new Float64Array(count),
      inode: new Float64Array(count),
      changed: new Float64Array(count),
      state: new Uint8Array(count),
      fileSum: new Float64Array(count),
      folderSum: new Float64Array(count),
      byteSum: new Float64Array(count),
      print: new Float64Array(count),
    },
  }
}

/** The bytes that are stored; watches and trigrams are created anew. */
function columnsOf({ names, rows, folders, ...tree }: Tree): Uint8Array[] {
  return [
    names.bytes.subarray(0, names.end),
    ...ROW_COLUMNS.map((column) => bytesOf(tree[column].subarray(0, rows))),
    ...FOLDER_COLUMNS.map((column) => bytesOf(folders[column].subarray(0, folders.count))),
  ]
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBuffer>): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

async function syncToDisk(place: string): Promise<void> {
  await using handle = await open(place, 'r')
  await handle.sync()
}
