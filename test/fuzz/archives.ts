import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { expect } from 'bun:test'
import { extract } from 'tar-stream'
import { fromBufferPromise } from 'yauzl'
import { parseFilePath } from '../../src/shared/file-path.ts'
import { segmentsFrom } from '../../src/server/unpack/names.ts'
import { readArchive } from '../../src/server/unpack/read-archive.ts'
import { openSource } from '../../src/server/unpack/source.ts'
import { tarOf, zipOf } from '../contract/archive-samples.ts'
import { startProduct } from '../contract/world.ts'
import { oddText, property } from './property.ts'

/** What a disk takes as a name. */
const name = oddText(5)
  .map((text) => text.replace(/[/\0]/g, '').toWellFormed())
  .filter((text) => !['', '.', '..', '.satchel'].includes(text))
const place = fc.array(name, { minLength: 1, maxLength: 3 })
const content = fc.string({ maxLength: 40 })
const entry = fc.record({
  name: fc.oneof(
    oddText(6),
    place.map((names) => names.join('/')),
  ),
  text: content,
})
/** A byte of an archive that is another one, or where it ends. */
const damage = fc.array(fc.record({ at: fc.nat(), byte: fc.nat(255) }), { maxLength: 6 })

/** More than all that goes in: nothing here is compressed to more than this. */
const MOST_BYTES = 1024 * 1024

export const ARCHIVES = [
  property(
    'an archive holds every file once, with its bytes, under a name that leads nowhere out on any system',
    8,
    fc.uniqueArray(fc.record({ place, text: content }), { maxLength: 6, selector: (file) => file.place[0] }),
    async (files) => {
      await using product = await startProduct()
      await product.seed(Object.fromEntries(files.map((file) => [`/all/${file.place.join('/')}`, file.text])))
      if (files.length === 0) await product.seed({ '/all/': '' })
      for (const algo of ['zip', 'tar', 'tar.gz']) {
        const answer = await product.ask(`/api/raw/all?algo=${algo}`, { who: 'ann' })
        const bytes = Buffer.from(await answer.arrayBuffer())
        const found = await (algo === 'zip' ? unzipped(bytes) : untarred(algo === 'tar' ? bytes : gunzipSync(bytes)))
        const inside = found.filter((one) => !one.name.endsWith('/'))
        expect(inside.map(({ text }) => text).toSorted()).toEqual(files.map(({ text }) => text).toSorted())
        expect(new Set(found.map((one) => one.name)).size).toBe(found.length)
        for (const one of found) {
          const segments = one.name.replace(/\/$/, '').split('/')
          expect(segments.every((segment) => segment !== '' && !/^\.+$|[\\:\0-\x1f]/.test(segment))).toBe(true)
        }
      }
    },
  ),

  property('the name of an entry is a place below its folder, or left out', 500, oddText(8), (text) => {
    const segments = segmentsFrom(text)
    // No name at all is the folder itself.
    if (typeof segments === 'string' || segments.length === 0) return
    expect(
      parseFilePath(`/${segments.join('/')}`)
        .split('/')
        .slice(1),
    ).toEqual([...segments])
  }),

  property(
    'an archive with wrong bytes ends, gives no more than it can hold, and says no other name than its own',
    60,
    fc.tuple(fc.array(entry, { maxLength: 4 }), damage, fc.constantFrom('zip', 'tar', 'tar.gz')),
    async ([entries, wrong, kind]) => {
      const whole = kind === 'zip' ? zipOf(entries) : kind === 'tar' ? tarOf(short(entries)) : gzipSync(tarOf(short(entries)))
      const bytes = Uint8Array.from(whole)
      for (const { at, byte } of wrong) bytes[at % bytes.length] = byte
      const folder = mkdtempSync(join(tmpdir(), 'satchel-fuzz-'))
      try {
        writeFileSync(join(folder, 'x'), bytes)
        let size = 0
        for await (const one of readArchive(openSource(join(folder, 'x')))) {
          expect(typeof one.head.name).toBe('string')
          if (one.head.kind === 'file') for await (const chunk of one.bytes()) size += chunk.length
          expect(size).toBeLessThan(MOST_BYTES)
        }
      } catch (error) {
        // The program that reads says “damaged” for every one of these, and ends.
        expect(error).toBeInstanceOf(Error)
        expect(String(error)).not.toContain('expect(')
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  ),
]

/** What a header of tar has room for. */
function short(entries: readonly { name: string; text: string }[]) {
  return entries.map((one) => ({ ...one, name: Buffer.from(one.name).subarray(0, 99).toString('latin1') }))
}

interface Found {
  name: string
  text: string
}

async function unzipped(bytes: Buffer): Promise<Found[]> {
  // It refuses names that lead out by itself; here they are looked at.
  const file = await fromBufferPromise(bytes, { strictFileNames: false, validateEntrySizes: true })
  const found: Found[] = []
  for await (const one of file.eachEntry()) {
    const text = await buffer(await file.openReadStreamPromise(one))
    found.push({ name: one.fileName, text: text.toString() })
  }
  return found
}

async function untarred(bytes: Buffer): Promise<Found[]> {
  const found: Found[] = []
  const reader = extract()
  reader.end(bytes)
  for await (const one of reader) {
    const chunks: Uint8Array[] = []
    for await (const chunk of one) chunks.push(chunk as Uint8Array)
    const { name: at, type } = one.header
    found.push({ name: type === 'directory' && !at.endsWith('/') ? `${at}/` : at, text: Buffer.concat(chunks).toString() })
  }
  return found
}
