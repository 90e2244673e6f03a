import { mkdtempSync, ftruncateSync, openSync, writeSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zip } from '../../../src/server/archives/zip.ts'
import type { Member } from '../../../src/server/archives/walk.ts'
import { segmentsFrom } from '../../../src/server/unpack/names.ts'
import { readZip } from '../../../src/server/unpack/read-zip.ts'
import { openZip, ZipBroken } from '../../../src/web/widgets/viewers/zip.ts'
import { zipOf } from '../../contract/archive-samples.ts'
import { must, type Target } from '../target.ts'

const SIGNAL = new AbortController().signal
const MOST = 1024 * 1024
/** Where the method of compression stands in an entry of the directory. */
const CENTRAL = 0x02014b50
const METHOD = 10

/** Zips, by the reader of the server and by the one of the page: neither gives other bytes than promised, nor names that lead out. */
export const target: Target = {
  seeds: [
    zipOf([
      { name: 'a.txt', text: 'hello' },
      { name: 'b/c', text: 'x'.repeat(300) },
    ]),
    zipOf([
      { name: '../x', text: '' },
      { name: 'y', text: 'y'.repeat(2000), deflate: true },
    ]),
    written([
      ['ä', 'hello'],
      ['b/', ''],
    ]),
  ],
  words: ['PK\x01\x02', 'PK\x05\x06', 'PK\x06\x06', 'PK\x06\x07', '\x01\0\x10\0', '\xff\xff\xff\xff'],
  most: 800,
  async holds(bytes) {
    await byServer(withoutRare(bytes))
    await byPage(bytes)
  },
}

async function byServer(bytes: Uint8Array): Promise<void> {
  const { descriptor, path } = scratch()
  ftruncateSync(descriptor, 0)
  writeSync(descriptor, bytes, 0, bytes.length, 0)
  try {
    for await (const { head, bytes: content } of readZip({ path, descriptor, size: bytes.length, progress: { read: 0 } })) {
      const segments = segmentsFrom(head.name)
      must(typeof segments === 'string' || !segments.includes('..'), 'an entry leads out')
      must(head.size === null || (Number.isSafeInteger(head.size) && head.size >= 0), 'a size is no number of bytes')
      must(head.modified === null || Number.isFinite(head.modified), 'an entry is of no time')
      let length = 0
      if (head.kind === 'file')
        for await (const piece of content()) must((length += piece.length) <= (head.size ?? MOST), 'more comes out than was promised')
    }
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'AssertionError' || error instanceof TypeError) throw error
  }
}

async function byPage(bytes: Uint8Array): Promise<void> {
  const read = async (start: number, end: number): Promise<Uint8Array<ArrayBuffer>> => {
    must(start >= 0 && start <= end && end <= bytes.length, 'bytes are asked for that there are not')
    return Uint8Array.from(bytes.subarray(start, end))
  }
  try {
    const { entries, read: entry } = await openZip({ size: bytes.length, read }, { signal: SIGNAL })
    for (const [name, { size }] of entries) {
      const content = await entry(name, { most: MOST, signal: SIGNAL }).catch(onlyBroken)
      must(content === null || content.length === size, 'an entry is not as long as promised')
    }
  } catch (error) {
    onlyBroken(error)
  }
}

function onlyBroken(error: unknown): null {
  if (error instanceof ZipBroken) return null
  throw error
}

/** Rare methods are given to 7-Zip in a thread; here it is about what we read ourselves. */
function withoutRare(bytes: Uint8Array): Uint8Array {
  const out = new DataView(bytes.slice().buffer)
  for (let at = 0; at + METHOD + 2 <= out.byteLength; at++)
    if (out.getUint32(at, true) === CENTRAL && ![0, 8].includes(out.getUint16(at + METHOD, true))) out.setUint16(at + METHOD, 8, true)
  return new Uint8Array(out.buffer)
}

let made: { descriptor: number; path: string } | null = null

/** One file for all inputs of a run. */
function scratch(): { descriptor: number; path: string } {
  if (made !== null) return made
  const folder = mkdtempSync(join(tmpdir(), 'satchel-fuzz-zip-'))
  const path = join(folder, 'x')
  const descriptor = openSync(path, 'w+')
  // What is open can be read all the same.
  rmSync(folder, { recursive: true })
  made = { descriptor, path }
  return made
}

/** As our own downloads are. */
function written(files: readonly (readonly [name: string, text: string])[]): Uint8Array {
  const parts: Uint8Array[] = []
  const records: Uint8Array[] = []
  let offset = 0
  for (const [name, text] of files) {
    const content = Buffer.from(text)
    const crc = Bun.hash.crc32(content)
    const kind = name.endsWith('/') ? 'folder' : 'file'
    const member: Member = { name, kind, size: content.length, modified: 1_700_000_000_000, mode: 0o644, source: content }
    records.push(zip.directory(member, { offset, crc }))
    const all = [zip.head(member), content, zip.tail(member, crc)]
    offset += all.reduce((sum, part) => sum + part.length, 0)
    parts.push(...all)
  }
  const length = records.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([...parts, ...records, zip.end({ count: files.length, start: offset, length })])
}
