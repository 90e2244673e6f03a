import { describe, expect, it } from 'bun:test'
import { extensionOf, fileType, looksLikeText, typeOf } from './file-type.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('the type of a file', () => {
  it.each([
    ['a.JPG', 'image'],
    ['a.heic', 'image'],
    ['raw.nef', 'image'],
    ['song.opus', 'audio'],
    ['film.mkv', 'video'],
    ['cam.m2ts', 'video'],
    ['book.pdf', 'pdf'],
    ['main.ts', 'text'],
    ['go.mod', 'text'],
    ['page.html', 'text'],
    ['data.json', 'text'],
    ['x.tar.gz', 'blob'],
    ['pkg.rpm', 'blob'],
    ['.gitignore', 'text'],
  ] as const)('%s is %s', (name, type) => {
    expect(typeOf({ name, size: 10 })).toBe(type)
  })

  it('is unknown for an unknown name', () => {
    expect([fileType('README'), fileType('a.nobodyknows'), fileType('')]).toEqual([null, null, null])
  })

  it('is text for an unknown name until the content is known', () => {
    expect(typeOf({ name: 'README', size: 5 })).toBe('text')
    expect(typeOf({ name: 'README', size: 5, head: bytes('hello') })).toBe('text')
    expect(typeOf({ name: 'README', size: 5, head: Uint8Array.of(0, 1, 2) })).toBe('blob')
    expect(typeOf({ name: 'empty', size: 0, head: new Uint8Array() })).toBe('text')
  })

  it('is detected by the first bytes for unknown names', () => {
    expect(typeOf({ name: 'x', size: 100, head: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 0x1a, 10, 0) })).toBe('image')
    expect(typeOf({ name: 'x', size: 100, head: bytes('%PDF-1.7') })).toBe('pdf')
    expect(typeOf({ name: 'x', size: 5e9, head: Uint8Array.of(0x1a, 0x45, 0xdf, 0xa3, 1) })).toBe('video')
  })

  it('is taken from the content for code names, but not for plain text names', () => {
    const head = Uint8Array.of(0, 1, 2, 3)
    expect(typeOf({ name: 'a.json', size: 4, head })).toBe('blob')
    expect(typeOf({ name: 'a.txt', size: 4, head })).toBe('text')
  })

  it('is video for a .ts file that is one', () => {
    const head = new Uint8Array(512)
    head[0] = head[188] = 0x47
    expect(typeOf({ name: 'a.ts', size: 512, head })).toBe('video')
    expect(typeOf({ name: 'a.ts', size: 20_000_000 })).toBe('video')
    expect(typeOf({ name: 'a.ts', size: 20, head: bytes('export {}') })).toBe('text')
  })

  it('is blob for a text of more than 10 MiB', () => {
    expect(typeOf({ name: 'a.log', size: 10 * 1024 * 1024 })).toBe('text')
    expect(typeOf({ name: 'a.log', size: 10 * 1024 * 1024 + 1 })).toBe('blob')
  })
})

describe('extensionOf', () => {
  it.each([
    ['x.tar.gz', '.gz'],
    ['.hid', '.hid'],
    ['plain', ''],
    ['dot.', '.'],
  ])('of %s is %s', (name, extension) => {
    expect(extensionOf(name)).toBe(extension)
  })
})

describe('looksLikeText', () => {
  it('accepts UTF-8 cut in the middle of its last character', () => {
    const euro = bytes('price €')
    expect([euro, euro.subarray(0, -1), euro.subarray(0, -2)].map(looksLikeText)).toEqual([true, true, true])
    expect(looksLikeText(bytes('😀').subarray(0, 3))).toBe(true)
  })

  it('refuses control bytes and other encodings', () => {
    expect(looksLikeText(Uint8Array.of(65, 8))).toBe(false)
    expect(looksLikeText(Uint8Array.of(65, 0xe9, 66, 67, 68, 69))).toBe(false)
    expect(looksLikeText(Uint8Array.of(0x80))).toBe(false)
  })

  it('accepts tabs, line ends and empty text', () => {
    expect(looksLikeText(bytes('a\tb\r\n'))).toBe(true)
    expect(looksLikeText(new Uint8Array())).toBe(true)
  })
})
