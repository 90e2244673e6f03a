import { afterEach, beforeEach, describe, expect, it, type Mock, spyOn } from 'bun:test'
import { parseFilePath } from '../../../../shared/file-path.ts'
import { areLetters, readAsText } from './as-text.ts'

const PATH = parseFilePath('/a.bin')
const FILE = {
  path: '/a.bin',
  name: 'a.bin',
  size: 2,
  extension: '.bin',
  modified: '',
  mode: 420,
  isDir: false,
  isSymlink: false,
  type: 'blob' as const,
}

describe('a file that is read as text', () => {
  let fetched: Mock<typeof fetch>
  beforeEach(() => {
    fetched = spyOn(globalThis, 'fetch')
  })
  afterEach(() => fetched.mockRestore())

  it('may be changed where it is letters only, over the version that was read', async () => {
    fetched.mockResolvedValueOnce(new Response('hi', { headers: { etag: '"v1"' } }))
    expect(await readAsText(PATH, FILE)).toMatchObject({ file: { type: 'text', content: 'hi' }, version: '"v1"' })
    fetched.mockResolvedValueOnce(new Response(new Uint8Array([104, 255])))
    expect(await readAsText(PATH, FILE)).toMatchObject({ file: { type: 'textImmutable' }, version: null })
  })

  it('U7: is offered for bytes that are letters, and for no others', () => {
    const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
    const texts = ['plain\n\ttext\r\n', 'caf\xe9 of an old code page', '\xff\xfeU\0T\0F\0', '\x1b[31mred\x1b[0m', '']
    expect(texts.filter((text) => !areLetters(bytes(text)))).toEqual([])
    const others = ['PK\x03\x04\x14\0', '\x7fELF\x02\x01', 'SQLite format 3\0', 'a\x01']
    expect(others.filter((text) => areLetters(bytes(text)))).toEqual([])
  })

  it.each([202, 404, 429, 500])('is not the words of a refusal (%d)', async (status) => {
    fetched.mockResolvedValueOnce(Response.json({ code: 'not-found', detail: {} }, { status }))
    await expect(readAsText(PATH, FILE)).rejects.toMatchObject({ code: 'not-found' })
  })
})
