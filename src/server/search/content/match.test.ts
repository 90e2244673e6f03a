import { describe, expect, it } from 'bun:test'
import { match } from './match.ts'

describe('searchable files', () => {
  it('are texts by name and content, in any supported encoding', () => {
    const utf16 = (text: string): Uint8Array => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
    const files: Record<string, Uint8Array> = {
      'a.txt': bytes('a néedle'),
      'a.ts': bytes('const needle = "Née"'),
      'no name': bytes('\ufeffnéedle'),
      'utf16.csv': utf16('x;néedle'),
      'latin1.txt': Buffer.from('n\xe9edle', 'latin1'),
    }
    expect(found(files, 'née')).toEqual(Object.keys(files))
  })

  it('do not include pictures, programs and binaries with a text extension', () => {
    const files = {
      'a.jpg': bytes('needle'),
      'a.zip': bytes('needle'),
      'a.txt': bytes('needle\0needle'),
      'a.py': bytes('\x01\x02needle'),
      unknown: bytes('needle\x07'),
      'a.md': bytes('needle'),
    }
    expect(found(files, 'needle')).toEqual(['a.md'])
  })

  it('are skipped if they could not be read, without affecting others', () => {
    const ask = { names: 'a\0b\0c', bytes: bytes('xyx'), sizes: Int32Array.of(1, -1, 2), kind: 'files', wanted: wanted('x') } as const
    expect(match(ask).map((one) => one?.length ?? null)).toEqual([1, null, 1])
  })

  it('are skipped if they consist of combining marks, which take quadratic time to normalize', () => {
    for (const marks of ['\u0300\u0316'.repeat(500_000), '\u1161'.repeat(1_000_000)]) {
      const files = { 'zalgo.txt': bytes(`needle a${marks}`), 'fine.txt': bytes(`needle ${'a\u0300\u0316'.repeat(1000)}`) }
      expect(found(files, 'needle')).toEqual(['fine.txt'])
      const pages = bytes(`needle a${marks}`)
      const answer = match({ names: 'a.pdf', bytes: pages, sizes: Int32Array.of(pages.length), kind: 'pages', wanted: wanted('needle') })
      expect(answer).toEqual([null])
    }
  })

  it('of PDFs count pages', () => {
    const text = bytes('first page\fsecond\npage with\nneedle\f\fneedle\f')
    const answer = match({ names: 'a.pdf', bytes: text, sizes: Int32Array.of(text.length), kind: 'pages', wanted: wanted('with needle') })
    expect(answer).toEqual([[{ line: null, page: 2, place: null, text: 'second page with needle', marks: [[12, 23]] }]])
  })
})

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function wanted(...words: string[]) {
  return { words, not: [], sensitive: false }
}

function found(files: Record<string, Uint8Array>, word: string): string[] {
  const contents = Object.values(files)
  const sizes = Int32Array.from(contents, ({ length }) => length)
  const names = Object.keys(files)
  const answer = match({ names: names.join('\0'), bytes: Buffer.concat(contents), sizes, kind: 'files', wanted: wanted(word) })
  return names.filter((_, index) => answer[index] !== null)
}
