import { closeSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { z } from 'zod/mini'
import { BLOCK_BYTES, markAll } from './names.ts'
import { emptyTree, type Tree } from './tree.ts'

/**
 * A tree as a file: eight bytes that name the format, the length of a header, the header (JSON), every column as it is in memory, and the CRC-32
 * of all that. Numbers are little-endian, as every machine this runs on has them. Whatever is not exactly so is no snapshot.
 */
const MAGIC = Buffer.from('SATCHIX1')
const HEAD_BYTES = 12
const PIECE_BYTES = 1024 * 1024
const MOST_HEADER_BYTES = 64 * 1024

const HEADER = z.object({
  /** What was indexed: the path of the root, and the number of its node. */
  root: z.string(),
  rows: z.number(),
  removed: z.number(),
  folders: z.number(),
  names: z.number(),
})

const ROW_COLUMNS = ['parent', 'start', 'flags', 'size', 'modified', 'node', 'next'] as const
const FOLDER_COLUMNS = ['row', 'first', 'size', 'inode', 'changed', 'state', 'fileSum', 'folderSum', 'byteSum'] as const

/** Writes a tree down beside `file`, and puts it there when all of it is on the disk. The tree may change as soon as this has returned its promise. */
export async function writeSnapshot(file: string, root: string, tree: Tree): Promise<void> {
  const fresh = `${file}.new`
  const fd = openSync(fresh, 'w', 0o600)
  try {
    writeAll(fd, root, tree)
  } finally {
    closeSync(fd)
  }
  await settle(fresh)
  renameSync(fresh, file)
  await settle(dirname(file))
}

/** @returns null when there is none, or it is broken or of another tree; then it is removed */
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
  const header = Buffer.from(
    JSON.stringify({ root, rows, removed, folders: folders.count, names: names.end } satisfies z.infer<typeof HEADER>),
  )
  const head = Buffer.alloc(HEAD_BYTES)
  MAGIC.copy(head)
  head.writeUInt32LE(header.length, MAGIC.length)
  const parts = [head, header, ...columnsOf(tree)]
  let sum = 0
  for (const part of parts) {
    sum = crc32(part, sum)
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
      sum = crc32(into, sum)
    }
    const head = Buffer.alloc(HEAD_BYTES)
    take(head)
    const length = head.readUInt32LE(MAGIC.length)
    if (!head.subarray(0, MAGIC.length).equals(MAGIC) || length > MOST_HEADER_BYTES) throw new Error('another format')
    const text = Buffer.alloc(length)
    take(text)
    const header = HEADER.parse(JSON.parse(text.toString()))
    if (header.root !== root) throw new Error('another root')
    const tree = treeFor(header)
    const columns = columnsOf(tree)
    const expected = HEAD_BYTES + length + columns.reduce((all, column) => all + column.length, 0) + 4
    if (statSync(file).size !== expected) throw new Error('another length')
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

/** A tree with room for what the header tells of. */
function treeFor({ rows, removed, folders: count, names }: z.infer<typeof HEADER>): Tree {
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
    },
  }
}

/** The bytes of what is kept; watches and marks are made anew. */
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

async function settle(place: string): Promise<void> {
  await using handle = await open(place, 'r')
  await handle.sync()
}
