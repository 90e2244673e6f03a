import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import * as z from 'zod/mini'
import { Folder, Item, ROW_FOLDER, ROW_LINK, ROW_TYPES, Rows } from '../../shared/contract/resources.ts'
import type { Sorting } from '../../shared/contract/users.ts'
import { bytesToName } from '../../shared/file-path.ts'
import { extensionOf, typeOf } from '../../shared/file-type.ts'
import { orderOfNames } from '../../shared/name-order.ts'
import { unpackNames } from '../../shared/packed-names.ts'
import { firstRowsOf, pieceOf, piecesOf, rowsOf, wholeOf, withRows } from './folder-text.ts'
import type { FolderInOrder, FolderTask } from './folder-task.ts'
import { createFolderWriter } from './folder-writer.ts'
import { BAD_LINK, GOOD_LINK, type FolderColumns, folderColumns } from './folder-columns.ts'

const DIR = 0o40755
const FILE = 0o100644
const NAMES: Sorting = { by: 'name', asc: false }

const FEW = columnsOf([
  ['b10.txt', FILE, 5, 3000],
  ['zoo', DIR, 4096, 1000],
  ['B9.txt', FILE, 50, 2000],
  ['alps', DIR, 4096, 4000],
  ['a.jpg', FILE, 500, 5000],
])

describe('the order of a folder', () => {
  it.each([
    [{ by: 'name', asc: false }, ['alps', 'zoo', 'a.jpg', 'B9.txt', 'b10.txt']],
    [{ by: 'name', asc: true }, ['zoo', 'alps', 'b10.txt', 'B9.txt', 'a.jpg']],
    [{ by: 'size', asc: true }, ['alps', 'zoo', 'b10.txt', 'B9.txt', 'a.jpg']],
    [{ by: 'size', asc: false }, ['a.jpg', 'B9.txt', 'b10.txt', 'alps', 'zoo']],
    [{ by: 'modified', asc: true }, ['zoo', 'B9.txt', 'b10.txt', 'alps', 'a.jpg']],
    [{ by: 'modified', asc: false }, ['a.jpg', 'alps', 'b10.txt', 'B9.txt', 'zoo']],
  ] as [Sorting, string[]][])('%o', (sorting, names) => {
    expect(asFolder(FEW, sorting).items.map((item) => item.name)).toEqual(names)
  })

  it('puts folders first in rows, in the requested order', () => {
    expect(asRows(FEW, { by: 'modified', asc: false }).names).toEqual(['alps', 'zoo', 'a.jpg', 'b10.txt', 'B9.txt'])
    expect(asRows(FEW, { by: 'size', asc: false }).names).toEqual(['alps', 'zoo', 'a.jpg', 'B9.txt', 'b10.txt'])
  })
})

describe('the beginning of a long folder', () => {
  const long = longColumns(2500)
  const sortings = (['name', 'size', 'modified'] as const).flatMap((by) => [false, true].map((asc) => ({ by, asc })))

  it.each(sortings)('equals the first rows of the complete listing, with its counts: %o', (sorting) => {
    const asked: FolderTask = { ...task(long, sorting), form: 'rows', named: namesInOrder(long) }
    const whole = z.parse(Rows, JSON.parse(folderText(asked)))
    const begun = firstRowsOf(asked)
    const beginning = z.parse(Rows, JSON.parse(begun === null ? '' : textOf(begun)))
    const few = beginning.names.length
    expect(few).toBeGreaterThan(100)
    const cut = { names: whole.names.slice(0, few), sizes: whole.sizes.slice(0, few), modifieds: whole.modifieds.slice(0, few) }
    expect(beginning).toEqual({ ...whole, ...cut, types: whole.types.slice(0, few) })
  })

  it('is not sent for short folders or if the order of names is unknown', () => {
    expect(firstRowsOf({ ...task(FEW, NAMES), form: 'rows', named: namesInOrder(FEW) })).toBeNull()
    expect(firstRowsOf({ ...task(long, NAMES), form: 'rows' })).toBeNull()
  })
})

describe('the JSON of a folder', () => {
  it('has the predecessor’s keys in its order', () => {
    const one = columnsOf([['1.txt', FILE, 2, Date.UTC(2026, 10, 21, 1, 55, 46, 103) + 0.922]])
    expect(folderText(task(one, NAMES))).toBe(
      '{"items":[{"path":"/d1/1.txt","name":"1.txt","size":2,"extension":".txt","modified":"2026-11-21T01:55:46.103922Z","mode":420,' +
        '"isDir":false,"isSymlink":false,"type":"text"}],"numDirs":0,"numFiles":1,"sorting":{"by":"name","asc":false},"kind":"listing",' +
        '"path":"/d1","name":"d1","size":4096,"extension":"","modified":"1970-01-01T00:00:00Z","mode":2147484141,"isDir":true,' +
        '"isSymlink":false,"type":""}',
    )
  })

  it('echoes the requested path, and uses the normalized one for children', () => {
    const text = folderText({ ...task(FEW, NAMES), head: { ...HEAD, path: '/d1/' } })
    expect(z.parse(Folder, JSON.parse(text))).toMatchObject({ path: '/d1/', items: [{ path: '/d1/alps' }, {}, {}, {}, {}] })
  })

  it('counts folders and files', () => {
    expect(asFolder(FEW, NAMES)).toMatchObject({ numDirs: 2, numFiles: 3 })
    expect(asFolder(columnsOf([]), NAMES)).toMatchObject({ numDirs: 0, numFiles: 0, items: [] })
  })

  it('preserves every possible name, including those that are not UTF-8', () => {
    const names = [
      '"quoted"',
      'back\\slash',
      'new\nline',
      '<script>',
      'é文😀',
      '\udcff\udc80',
      '\u2028',
      '\x7f',
      '\u202egpj.exe',
      "it's",
      ' ',
      'a%20b',
    ]
    const columns = columnsOf(names.map((name) => [name, FILE, 1, 1]))
    const folder = asFolder(columns, NAMES)
    expect(folder.items.map((item) => item.name).toSorted()).toEqual(names.toSorted())
    expect(folder.items.every((item) => item.path === `/d1/${item.name}`)).toBe(true)
    expect(asRows(columns, NAMES).names.toSorted()).toEqual(names.toSorted())
  })

  it('gives the type of a node by its name, and marks links', () => {
    const columns: FolderColumns = {
      ...columnsOf([
        ['a.mp4', FILE, 1, 1],
        ['broken', 0o120777, 1, 1],
        ['pipe.txt', 0o10644, 0, 1],
        ['to-folder', DIR, 4096, 1],
        ['README', FILE, 9, 1],
      ]),
      links: Uint8Array.of(0, BAD_LINK, 0, GOOD_LINK, 0),
      sniffed: new Map([[4, 'image']]),
    }
    const items = new Map(asFolder(columns, NAMES).items.map((item) => [item.name, item]))
    expect(items.get('a.mp4')).toMatchObject({ type: 'video', isSymlink: false })
    expect(items.get('broken')).toMatchObject({ type: 'invalid_link', isSymlink: true, isDir: false, mode: 2 ** 27 + 0o777 })
    expect(items.get('pipe.txt')).toMatchObject({ type: 'blob', mode: 2 ** 25 + 0o644 })
    expect(items.get('to-folder')).toMatchObject({ type: '', isSymlink: true, isDir: true })
    expect(items.get('README')).toMatchObject({ type: 'image' })
    const rows = asRows(columns, NAMES)
    const rowType = (name: string) => rows.types[rows.names.indexOf(name)]
    expect(rowType('to-folder')).toBe(ROW_FOLDER + ROW_LINK)
    expect(rowType('broken')).toBe(ROW_LINK + ROW_TYPES.indexOf('invalid_link'))
    expect(rowType('a.mp4')).toBe(ROW_TYPES.indexOf('video'))
  })
})

describe('a long folder', () => {
  const entries = 40_000
  const long = longColumns(entries)

  it.each(['rows', 'items'] as const)('R17: is written in pieces of less than a megabyte that form one JSON text: %s', (form) => {
    const asked: FolderTask = { ...task(long, { by: 'size', asc: true }), form }
    const folder = withRows(asked, rowsOf(asked))
    const pieces = Array.from({ length: piecesOf(folder) }, (_, piece) => pieceOf(folder, piece))
    expect(pieces.length).toBeGreaterThan(2)
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(2 ** 20)
    const text = decoded(Buffer.concat(pieces))
    expect(text).toBe(textOf(folder))
    expect(text).toBe(JSON.stringify(JSON.parse(text)))
    const whole = form === 'rows' ? z.parse(Rows, JSON.parse(text)) : z.parse(Folder, JSON.parse(text))
    const names = 'names' in whole ? whole.names : whole.items.map((item) => item.name)
    expect(whole).toMatchObject({ numDirs: entries / 50, numFiles: entries - entries / 50 })
    const own = unpackNames(long.names)
    expect(names).toEqual(Array.from(folder.rows, (index) => own.at(index) ?? ''))
  })
})

describe('an entry', () => {
  it('has its name unchanged, and a type by name and size', () => {
    const name = fc.oneof(
      fc.uint8Array({ min: 1, minLength: 1, maxLength: 9 }).map((bytes) => bytesToName(bytes)),
      fc.string({ unit: fc.constantFrom(...'aé文😀."\\\n\x7f\u2028'), minLength: 1, maxLength: 9 }),
      fc
        .tuple(fc.string({ maxLength: 4 }), fc.constantFrom('.jpg', '.TXT', '.mts', '.webmanifest', '.Ｊpg', '.'))
        .map((two) => two.join('')),
    )
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 20 }), (names) => {
        const columns = columnsOf(names.map((one, at) => [one, FILE, at * 1e6, at]))
        const { items } = asFolder(columns, { by: 'modified', asc: true })
        expect(items.map((item) => item.name)).toEqual(names)
        expect(items.map((item) => item.path)).toEqual(names.map((one) => `/d1/${one}`))
        expect(items.map((item) => item.extension)).toEqual(names.map(extensionOf))
        expect(items.map((item) => item.type)).toEqual(names.map((one, at) => typeOf({ name: one, size: at * 1e6 })))
        const rows = asRows(columns, { by: 'modified', asc: true })
        expect(rows.names).toEqual(names)
        expect(rows.types.map((type) => ROW_TYPES[type])).toEqual(items.map((item) => item.type))
      }),
    )
  })
})

describe('the folder writer', () => {
  it('writes long folders in its thread like short ones, several at a time, and restarts after being idle', async () => {
    using writer = createFolderWriter({ entriesHere: 2, idleMs: 10 })
    const odd = columnsOf(['\udcff', 'b', 'a', ' '].map((name) => [name, FILE, 1, 1]))
    const tasks = [task(FEW, NAMES), task(odd, NAMES), { ...task(FEW, { by: 'size', asc: true }), form: 'rows' as const }]
    for (let round = 0; round < 2; round++) {
      const texts = await Promise.all(tasks.map(async (one) => decoded(await writer.piece(await writer.sort(one), 0))))
      expect(texts).toEqual(tasks.map(folderText))
      await Bun.sleep(50)
    }
  })

  it('rejects unfinished work when it is closed', async () => {
    const writer = createFolderWriter({ entriesHere: 0 })
    const answer = writer.sort(task(FEW, NAMES)).catch(String)
    writer[Symbol.dispose]()
    expect(await answer).toContain('closed')
  })
})

const HEAD = { path: '/d1', name: 'd1', size: 4096, modified: 0, mode: DIR, isSymlink: false }

function columnsOf(nodes: [name: string, mode: number, size: number, modified: number][]): FolderColumns {
  return folderColumns({
    names: nodes.map(([name]) => name),
    modes: Uint32Array.from(nodes, ([, mode]) => mode),
    sizes: Float64Array.from(nodes, ([, , size]) => size),
    modified: Float64Array.from(nodes, ([, , , modified]) => modified),
    linked: new Map(),
  })
}

function namesInOrder({ names }: FolderColumns): Uint32Array {
  return orderOfNames(unpackNames(names))
}

/** Few folders among many files, some as large or as old as others. */
function longColumns(entries: number): FolderColumns {
  const nodes = Array.from({ length: entries }, (_, at) => [
    `${(at * 7919) % entries}.txt`,
    at % 50 === 0 ? DIR : FILE,
    at % 90,
    (at * 31) % 700,
  ])
  return columnsOf(nodes as Parameters<typeof columnsOf>[0])
}

function task(columns: FolderColumns, sorting: Sorting): FolderTask {
  return { form: 'items', head: HEAD, sorting, columns }
}

function folderText(asked: FolderTask): string {
  return textOf(withRows(asked, rowsOf(asked)))
}

function textOf(folder: FolderInOrder): string {
  return decoded(wholeOf(folder))
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

function asFolder(columns: FolderColumns, sorting: Sorting): Folder {
  const folder = z.parse(Folder, JSON.parse(folderText(task(columns, sorting))))
  for (const item of folder.items) z.parse(Item, item)
  return folder
}

function asRows(columns: FolderColumns, sorting: Sorting): Rows {
  return z.parse(Rows, JSON.parse(folderText({ ...task(columns, sorting), form: 'rows' })))
}
