import { renameSync, writeFileSync } from 'node:fs'

const PAGE = 4096
const HEADER = 16
const ELEMENT = 16
const [LEAF, META, FREELIST] = [2, 4, 16]
const IS_BUCKET = 1

type Entries = readonly (readonly [key: Buffer | string, value: Buffer | string])[]

/** Writes a bolt database whose buckets are one page each, in one step: a reader finds the old content or the new. */
export function writeBolt(path: string, buckets: Readonly<Record<string, Entries>>): void {
  let next = 4
  const pages: Buffer[] = []
  const roots = Object.entries(buckets)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entries]) => {
      const sorted = entries
        .map(([key, value]) => [Buffer.from(key), Buffer.from(value)] as const)
        .toSorted(([a], [b]) => Buffer.compare(a, b))
      const page = leaf(next, sorted, 0)
      const bucket = Buffer.alloc(16)
      bucket.writeBigUInt64LE(BigInt(next), 0)
      next += page.length / PAGE
      pages.push(page)
      return [Buffer.from(name), bucket] as const
    })
  const freelist = Buffer.alloc(PAGE)
  writeHeader(freelist, { id: 2, flags: FREELIST, count: 0, overflow: 0 })
  const root = leaf(3, roots, IS_BUCKET)
  if (root.length !== PAGE) throw new Error('too many buckets')
  writeFileSync(`${path}.new`, Buffer.concat([meta(0, next), meta(1, next), freelist, root, ...pages]))
  renameSync(`${path}.new`, path)
}

function leaf(id: number, entries: readonly (readonly [Buffer, Buffer])[], flags: number): Buffer {
  const bytes = HEADER + entries.reduce((sum, [key, value]) => sum + ELEMENT + key.length + value.length, 0)
  const page = Buffer.alloc(Math.ceil(bytes / PAGE) * PAGE)
  writeHeader(page, { id, flags: LEAF, count: entries.length, overflow: page.length / PAGE - 1 })
  let data = HEADER + entries.length * ELEMENT
  for (const [index, [key, value]] of entries.entries()) {
    const at = HEADER + index * ELEMENT
    for (const [place, number] of [flags, data - at, key.length, value.length].entries()) page.writeUInt32LE(number, at + place * 4)
    key.copy(page, data)
    value.copy(page, data + key.length)
    data += key.length + value.length
  }
  return page
}

function meta(id: number, pages: number): Buffer {
  const page = Buffer.alloc(PAGE)
  writeHeader(page, { id, flags: META, count: 0, overflow: 0 })
  const body = page.subarray(HEADER)
  for (const [place, number] of [0xed0cdaed, 2, PAGE, 0].entries()) body.writeUInt32LE(number, place * 4)
  for (const [place, number] of [3, 0, 2, pages, id].entries()) body.writeBigUInt64LE(BigInt(number), 16 + place * 8)
  let hash = 0xcbf29ce484222325n
  for (const byte of body.subarray(0, 56)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  body.writeBigUInt64LE(hash, 56)
  return page
}

function writeHeader(page: Buffer, { id, flags, count, overflow }: { id: number; flags: number; count: number; overflow: number }): void {
  page.writeBigUInt64LE(BigInt(id), 0)
  page.writeUInt16LE(flags, 8)
  page.writeUInt16LE(count, 10)
  page.writeUInt32LE(overflow, 12)
}
