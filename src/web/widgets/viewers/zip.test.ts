import { describe, expect, it } from 'bun:test'
import type { ByteSource } from './byte-source.ts'
import { makeZip } from './test-zip.ts'
import { openZip } from './zip.ts'

const { signal } = new AbortController()
const MOST = { most: 1024 * 1024, signal }

describe('a zip in the browser', () => {
  it('returns deflated and stored entries by name, reading only their bytes', async () => {
    const asked: number[] = []
    const source = sourceOf(
      makeZip([
        { name: 'a/ü.txt', text: 'hello '.repeat(100) },
        { name: 'b', text: 'stored', method: 0 },
      ]),
      asked,
    )
    const zip = await openZip(source, { signal })
    expect([...zip.entries.keys()]).toEqual(['a/ü.txt', 'b'])
    expect(text(await zip.read('a/ü.txt', MOST))).toBe('hello '.repeat(100))
    expect(text(await zip.read('b', MOST))).toBe('stored')
    expect(asked).toHaveLength(6)
  })

  it('finds its directory before a comment', async () => {
    const zip = await openZip(sourceOf(Buffer.concat([makeZip([{ name: 'a', text: 'x' }]), Buffer.from('a comment')])), { signal })
    expect(text(await zip.read('a', MOST))).toBe('x')
  })

  it('stops at a bomb by ratio, declared size and actual size', async () => {
    const zeros = Buffer.alloc(40 * 1024 * 1024)
    for (const entry of [{ size: zeros.length }, { size: 1000 }, { size: 2 * 1024 * 1024 }]) {
      const zip = await openZip(sourceOf(makeZip([{ name: 'bomb', text: zeros, ...entry }])), { signal })
      expect(await failure(zip.read('bomb', { most: 64 * 1024 * 1024, signal }))).toBe('ZipBroken')
      expect(await failure(zip.read('bomb', MOST))).toBe('ZipBroken')
    }
  })

  it('refuses truncated, encrypted, overlapping and other files', async () => {
    const good = makeZip([{ name: 'a', text: 'some text' }])
    for (const bytes of [Buffer.alloc(0), Buffer.from('no zip'), good.subarray(0, good.length - 30), good.subarray(20)])
      expect(await failure(openZip(sourceOf(bytes), { signal }).then((zip) => zip.read('a', MOST)))).toBe('ZipBroken')
    const hostile = [{ flags: 1 }, { method: 99 }, { start: 0xffff_fff0 }, { start: 3 }, { packed: 5_000 }, { size: 4 }]
    for (const fields of hostile) {
      const zip = await openZip(sourceOf(makeZip([{ name: 'a', text: 'some text', ...fields }])), { signal })
      expect(await failure(zip.read('a', MOST))).toBe('ZipBroken')
    }
    const zip = await openZip(sourceOf(good), { signal })
    expect(await failure(zip.read('../a', MOST))).toBe('ZipBroken')
  })

  it('refuses a directory of more entries than a book has', async () => {
    const many = makeZip([{ name: 'a', text: 'x' }])
    many.writeUInt16LE(60_000, many.length - 12)
    expect(await failure(openZip(sourceOf(many), { signal }))).toBe('ZipBroken')
  })
})

function sourceOf(bytes: Buffer, asked: number[] = []): ByteSource {
  return {
    size: bytes.length,
    async read(start, end) {
      asked.push(end - start)
      if (end > bytes.length || start > end) throw new RangeError('beyond the file')
      return new Uint8Array(bytes.subarray(start, end))
    },
  }
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

async function failure(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no failure',
    (error: unknown) => (error instanceof Error ? error.name : 'no error'),
  )
}
