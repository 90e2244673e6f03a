import { afterEach, beforeEach, describe, expect, it, type Mock, spyOn } from 'bun:test'
import { parseFilePath } from '../../../../shared/file-path.ts'
import { readAsText } from './as-text.ts'

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

  it.each([202, 404, 429, 500])('is not the words of a refusal (%d)', async (status) => {
    fetched.mockResolvedValueOnce(Response.json({ code: 'not-found', detail: {} }, { status }))
    await expect(readAsText(PATH, FILE)).rejects.toMatchObject({ code: 'not-found' })
  })
})
