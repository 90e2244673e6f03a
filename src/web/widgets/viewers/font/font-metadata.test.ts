import { describe, expect, it } from 'bun:test'
import { deflateSync } from 'node:zlib'
import { readFontMetadata } from './font-metadata.ts'

describe('what a font says about itself', () => {
  it('is read from its tables: names, glyphs, and what varies', async () => {
    const facts = await readFontMetadata(sfnt(0x00010000, tables()))
    expect(facts).toEqual({
      format: 'TrueType',
      names: { family: 'Größe', style: 'Bold', version: 'Version 1' },
      glyphs: 1234,
      axes: [{ tag: 'wght', min: 100, max: 900 }],
    })
    expect((await readFontMetadata(sfnt(0x4f54544f, tables())))?.format).toBe('OpenType (CFF)')
  })

  it('is read through the packing of WOFF, and of WOFF2 is no more than its kind', async () => {
    const facts = await readFontMetadata(woff(tables()))
    expect(facts).toMatchObject({ format: 'WOFF', glyphs: 1234, names: { family: 'Größe' } })
    const packed = new Uint8Array(48)
    packed.set([0x77, 0x4f, 0x46, 0x32])
    expect(await readFontMetadata(packed)).toEqual({ format: 'WOFF2', names: {}, glyphs: null, axes: [] })
  })

  it('is nothing where a file ends before its head does', async () => {
    for (const mark of [0x00010000, 0x774f4646])
      for (let length = 4; length < 14; length++) {
        const bytes = new Uint8Array(length)
        new DataView(bytes.buffer).setUint32(0, mark)
        expect((await readFontMetadata(bytes))?.glyphs ?? null).toBeNull()
      }
  })

  it('costs a fact and no more where a table lies, is cut, or is a bomb', async () => {
    const names = { family: 'Größe', style: 'Bold', version: 'Version 1' }
    for (const maxp of [Buffer.alloc(0), Buffer.from([1])])
      expect(await readFontMetadata(sfnt(0x00010000, { ...tables(), maxp }))).toMatchObject({ glyphs: null, names })
    const lying = Buffer.from(tables().name)
    lying.writeUInt16BE(65_535, 2)
    expect(await readFontMetadata(sfnt(0x00010000, { ...tables(), name: lying }))).toMatchObject({ glyphs: 1234, names: {} })
    expect(await readFontMetadata(woff({ ...tables(), name: Buffer.alloc(16 * 1024 * 1024) }))).toMatchObject({ glyphs: 1234, names: {} })
    const whole = sfnt(0x00010000, tables())
    for (const length of [0, 4, 11]) expect(await readFontMetadata(whole.slice(0, length))).toBeNull()
    for (const length of [12, 40, 80, whole.length - 20]) expect(await readFontMetadata(whole.slice(0, length))).not.toBeNull()
    expect(await readFontMetadata(new TextEncoder().encode('<!doctype html><script>alert(1)</script>'))).toBeNull()
  })
})

type Tables = Record<'name' | 'maxp' | 'fvar', Buffer>

function tables(): Tables {
  const maxp = Buffer.alloc(6)
  maxp.writeUInt16BE(1234, 4)
  const fvar = Buffer.alloc(36)
  fvar.writeUInt16BE(16, 4)
  fvar.writeUInt16BE(1, 8)
  fvar.writeUInt16BE(20, 10)
  fvar.write('wght', 16, 'latin1')
  fvar.writeInt32BE(100 * 65_536, 20)
  fvar.writeInt32BE(900 * 65_536, 28)
  return { name: nameTable(), maxp, fvar }
}

/** Of the family in an old Macintosh's letters first, which the better one beats. */
function nameTable(): Buffer {
  const strings: readonly (readonly [number, number, number, Buffer])[] = [
    [1, 0, 1, Buffer.from('Old', 'latin1')],
    [3, 0x409, 1, utf16('Größe')],
    [3, 0x407, 2, utf16(' Bold\n')],
    [0, 0, 5, utf16('Version 1')],
  ]
  const head = Buffer.alloc(6 + strings.length * 12)
  head.writeUInt16BE(strings.length, 2)
  head.writeUInt16BE(head.length, 4)
  let at = 0
  for (const [n, [platform, language, id, text]] of strings.entries()) {
    for (const [field, value] of [platform, 1, language, id, text.length, at].entries()) head.writeUInt16BE(value, 6 + n * 12 + field * 2)
    at += text.length
  }
  return Buffer.concat([head, ...strings.map(([, , , text]) => text)])
}

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16()
}

function sfnt(mark: number, all: Tables): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(all)
  const head = Buffer.alloc(12 + entries.length * 16)
  head.writeUInt32BE(mark, 0)
  head.writeUInt16BE(entries.length, 4)
  let at = head.length
  for (const [n, [tag, bytes]] of entries.entries()) {
    head.write(tag, 12 + n * 16, 'latin1')
    head.writeUInt32BE(at, 12 + n * 16 + 8)
    head.writeUInt32BE(bytes.length, 12 + n * 16 + 12)
    at += bytes.length
  }
  return new Uint8Array(Buffer.concat([head, ...entries.map(([, bytes]) => bytes)]))
}

function woff(all: Tables): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(all).map(([tag, plain]) => {
    const packed = deflateSync(plain)
    return { tag, length: plain.length, stored: packed.length < plain.length ? packed : plain }
  })
  const head = Buffer.alloc(44 + entries.length * 20)
  head.write('wOFF', 0, 'latin1')
  head.writeUInt16BE(entries.length, 12)
  let at = head.length
  for (const [n, { tag, length, stored }] of entries.entries()) {
    head.write(tag, 44 + n * 20, 'latin1')
    head.writeUInt32BE(at, 44 + n * 20 + 4)
    head.writeUInt32BE(stored.length, 44 + n * 20 + 8)
    head.writeUInt32BE(length, 44 + n * 20 + 12)
    at += stored.length
  }
  return new Uint8Array(Buffer.concat([head, ...entries.map(({ stored }) => stored)]))
}
