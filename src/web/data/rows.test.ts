import { describe, expect, it } from 'bun:test'
import { createClient } from '../../shared/contract/client.ts'
import { resources, ROWS_MEDIA_TYPE, ROWS_SEQUENCE_MEDIA_TYPE, type Rows } from '../../shared/contract/resources.ts'
import { parseFilePath } from '../../shared/file-path.ts'
import { readRows, versionIn } from './rows.ts'

const HERE = parseFilePath('/a')
const FILE = { path: '/a', name: 'a', size: 1, extension: '', modified: '', mode: 420, isDir: false, isSymlink: false, type: 'blob' }

describe('a folder received in parts', () => {
  it('starts before it is complete, however it is split', async () => {
    const bytes = new TextEncoder().encode(sequence(rows(2), rows(5)))
    for (const size of [1, 7, 100, bytes.length]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
      const { whole, begun } = await read(streamed(pieces), ROWS_SEQUENCE_MEDIA_TYPE)
      expect(begun).toEqual([rows(2)])
      expect(whole).toEqual(rows(5))
    }
  })

  it('delivers the first rows while the rest is pending', async () => {
    const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>()
    const writer = writable.getWriter()
    const begun = Promise.withResolvers<Rows>()
    const whole = readRows(answering(new Response(readable), ROWS_SEQUENCE_MEDIA_TYPE), HERE, { onFirstRows: begun.resolve })
    void writer.write(new TextEncoder().encode(sequence(rows(2))))
    expect(await begun.promise).toEqual(rows(2))
    void writer.write(new TextEncoder().encode(sequence(rows(5))))
    expect(await whole).toEqual(rows(5))
  })

  it('is complete at once if short, and can be a file', async () => {
    expect(await read(JSON.stringify(rows(5)), ROWS_MEDIA_TYPE)).toEqual({ whole: rows(5), begun: [] })
    const opened = { kind: 'file', path: HERE, file: FILE, version: null }
    expect(await read(JSON.stringify(FILE), 'application/json; charset=utf-8')).toMatchObject({ whole: opened, begun: [] })
  })

  it.each([
    ['after its beginning', sequence(rows(2))],
    ['in the middle of a text', sequence(rows(2)) + sequence(rows(5)).slice(0, -3)],
    ['before anything', ''],
  ])('is nothing where the answer breaks off %s', async (_, text) => {
    await expect(read(text, ROWS_SEQUENCE_MEDIA_TYPE)).rejects.toMatchObject({ code: 'offline' })
  })
})

describe('the version of a file', () => {
  it.each([
    ['"a1b2"', '"a1b2"'],
    ['W/"a1b2"', '"a1b2"'],
    ['"a1b2-gzip"', '"a1b2"'],
    ['W/"a1b2-br"', '"a1b2"'],
  ])('is the same after changes by a proxy: %s', (sent, version) => {
    expect(versionIn(new Headers({ etag: sent }))).toBe(version)
  })

  it('is null without an ETag', () => {
    expect(versionIn(new Headers())).toBeNull()
  })
})

async function read(body: ConstructorParameters<typeof Response>[0], type: string) {
  const begun: Rows[] = []
  const whole = await readRows(answering(new Response(body), type), HERE, { onFirstRows: (some) => begun.push(some) })
  return { whole, begun }
}

function answering(response: Response, type: string) {
  response.headers.set('content-type', type)
  return createClient({ resources }, async () => response)
}

function streamed(pieces: readonly Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
}

function sequence(...texts: Rows[]): string {
  return texts.map((one) => `\x1e${JSON.stringify(one)}\n`).join('')
}

/** The first of five: two folders, three files. */
function rows(here: number): Rows {
  const names = ['d', 'é', 'a', 'b', '😀'].slice(0, here)
  const zeros = names.map(() => 0)
  const types = [16, 16, 0, 0, 0].slice(0, here)
  const head = { kind: 'rows' as const, path: '/a', name: 'a', modified: '', sorting: { by: 'name' as const, asc: false } }
  return { ...head, numDirs: 2, numFiles: 3, names, sizes: zeros, modifieds: zeros, types }
}
