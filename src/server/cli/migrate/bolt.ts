import { openSync, closeSync, fstatSync, readSync } from 'node:fs'

/** A bucket's keys and values, in the order of the file; buckets inside it are left out. */
export type BoltEntries = readonly { readonly key: Buffer; readonly value: Buffer }[]

/** What is read of a bolt file. */
export interface BoltFile {
  /** By name, as UTF-8; empty for a bucket that is not there. Throws `BoltError`. */
  bucket(name: string): BoltEntries
}

/** The file cannot be read as a bolt database. */
export class BoltError extends Error {}

const MAGIC = 0xed0cdaed
const VERSION = 2
const PAGE_HEADER = 16
const META_BYTES = 64
/** Of a meta page, without its checksum. */
const CHECKED_BYTES = 56
const BUCKET_HEADER = 16
const ELEMENT_BYTES = 16
const BRANCH = 0x01
const LEAF = 0x02
/** Flag of a leaf element whose value is a bucket. */
const IS_BUCKET = 0x01
/** Page sizes of bolt: those of the systems that it runs on. */
const PAGE_SIZES = [4096, 16_384, 65_536, 8192, 32_768, 1024, 2048]
/** Both meta pages, whatever the page size. */
const META_AREA = 2 * 65_536
/** A tree of so many levels would have more entries than the file has bytes. */
const MAX_DEPTH = 64
const READ_ATTEMPTS = 5

interface Meta {
  readonly pageSize: number
  readonly root: bigint
  readonly transaction: bigint
}

/**
 * Reads a bolt file (bbolt, file format 2) as of its last complete transaction. Nothing is written, and a program that writes to the file meanwhile is
 * not disturbed: bolt never changes a page of the last transaction, so the pages belong together if the meta pages are the same before and after.
 * Throws `BoltError`, and the system's errors.
 */
export function readBolt(path: string): BoltFile {
  const file = openSync(path, 'r')
  try {
    for (let attempt = 0; attempt < READ_ATTEMPTS; attempt += 1) {
      const bytes = contentOf(file)
      const meta = lastMeta(bytes)
      const after = lastMeta(contentOf(file, META_AREA))
      if (meta.transaction === after.transaction) return fileOf(bytes, meta)
    }
    throw new BoltError('another program keeps writing to it: stop that first')
  } finally {
    closeSync(file)
  }
}

function contentOf(file: number, limit = Number.POSITIVE_INFINITY): Buffer {
  const bytes = Buffer.alloc(Math.min(fstatSync(file).size, limit))
  for (let at = 0; at < bytes.length;) {
    const read = readSync(file, bytes, at, bytes.length - at, at)
    if (read === 0) return bytes.subarray(0, at)
    at += read
  }
  return bytes
}

/** The first two pages are meta pages, written in turn; one of them may be half-written. */
function lastMeta(bytes: Buffer): Meta {
  const metas = [0, ...PAGE_SIZES].flatMap((at) => {
    const meta = metaAt(bytes, at)
    return meta !== null && (at === 0 || at === meta.pageSize) ? [meta] : []
  })
  const [last] = metas.toSorted((a, b) => (a.transaction < b.transaction ? 1 : -1))
  if (last === undefined) throw new BoltError('it is no bolt database such as filebrowser.db, or its first pages are damaged')
  return last
}

function metaAt(bytes: Buffer, at: number): Meta | null {
  const meta = bytes.subarray(at + PAGE_HEADER, at + PAGE_HEADER + META_BYTES)
  if (meta.length < META_BYTES || meta.readUInt32LE(0) !== MAGIC || meta.readUInt32LE(4) !== VERSION) return null
  if (meta.readBigUInt64LE(CHECKED_BYTES) !== fnv1a(meta.subarray(0, CHECKED_BYTES))) return null
  const pageSize = meta.readUInt32LE(8)
  return PAGE_SIZES.includes(pageSize) ? { pageSize, root: meta.readBigUInt64LE(16), transaction: meta.readBigUInt64LE(48) } : null
}

/** FNV-1a with 64 bits. */
function fnv1a(bytes: Buffer): bigint {
  let hash = 0xcbf29ce484222325n
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash
}

function fileOf(bytes: Buffer, { pageSize, root }: Meta): BoltFile {
  function pageAt(number: bigint): Buffer {
    const at = Number(number) * pageSize
    if (at + pageSize > bytes.length) throw damaged(number)
    if (bytes.readBigUInt64LE(at) !== number) throw damaged(number)
    const overflow = bytes.readUInt32LE(at + 12)
    return bytes.subarray(at, at + (overflow + 1) * pageSize)
  }

  /** Pages that were read for a bucket: a page belongs to one place only, so that no more are read than there are. */
  const visited = new Set<bigint>()

  function childOf(number: bigint): Buffer {
    if (visited.has(number)) throw damaged(number)
    visited.add(number)
    return pageAt(number)
  }

  function* leaves(page: Buffer, depth: number): Generator<{ key: Buffer; value: Buffer; isBucket: boolean }> {
    const flags = page.readUInt16LE(8)
    const count = page.readUInt16LE(10)
    if (depth > MAX_DEPTH || (flags & (BRANCH | LEAF)) === 0) throw damaged(page.readBigUInt64LE(0))
    for (let index = 0; index < count; index += 1) {
      const at = PAGE_HEADER + index * ELEMENT_BYTES
      if (at + ELEMENT_BYTES > page.length) throw damaged(page.readBigUInt64LE(0))
      if ((flags & BRANCH) !== 0) {
        yield* leaves(childOf(page.readBigUInt64LE(at + 8)), depth + 1)
        continue
      }
      const key = at + page.readUInt32LE(at + 4)
      const value = key + page.readUInt32LE(at + 8)
      const end = value + page.readUInt32LE(at + 12)
      if (end > page.length) throw damaged(page.readBigUInt64LE(0))
      yield { key: page.subarray(key, value), value: page.subarray(value, end), isBucket: (page.readUInt32LE(at) & IS_BUCKET) !== 0 }
    }
  }

  /** A bucket is a tree of its own, or, if it is small, one page inside the value. */
  function treeOf(value: Buffer): Buffer {
    const number = value.readBigUInt64LE(0)
    return number === 0n ? value.subarray(BUCKET_HEADER) : pageAt(number)
  }

  return {
    bucket: (name) =>
      checked(() => {
        visited.clear()
        const found = [...leaves(pageAt(root), 0)].find(({ key, isBucket }) => isBucket && key.toString() === name)
        if (found === undefined) return []
        return [...leaves(treeOf(found.value), 0)].flatMap(({ key, value, isBucket }) => (isBucket ? [] : [{ key, value }]))
      }),
  }
}

/** Lengths that lead out of the file are damage. */
function checked<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof RangeError ? new BoltError('a page is damaged', { cause: error }) : error
  }
}

function damaged(page: bigint): BoltError {
  return new BoltError(`page ${page} is missing or damaged; if this is a copy, stop the old server and copy the file again`)
}
