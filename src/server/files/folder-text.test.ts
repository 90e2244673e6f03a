import { describe, expect, it } from 'bun:test'
import * as z from 'zod/mini'
import { Folder, Item, ROW_FOLDER, ROW_LINK, ROW_TYPES, Rows } from '../../shared/contract/resources.ts'
import type { Sorting } from '../../shared/contract/users.ts'
import { orderOfNames } from '../../shared/natural-order.ts'
import { firstRowsText, type FolderTask, folderText } from './folder-text.ts'
import { createFolderWriter } from './folder-writer.ts'
import type { FolderColumns } from './folder-columns.ts'

const DIR = 0o40755
const FILE = 0o100644
const NAMES: Sorting = { by: 'name', asc: false }

const FEW = sheetOf([
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

  it('puts folders first in rows, whatever the order, and keeps them in it', () => {
    expect(asRows(FEW, { by: 'modified', asc: false }).names).toEqual(['alps', 'zoo', 'a.jpg', 'b10.txt', 'B9.txt'])
    expect(asRows(FEW, { by: 'size', asc: false }).names).toEqual(['alps', 'zoo', 'a.jpg', 'B9.txt', 'b10.txt'])
  })
})

describe('the beginning of a long folder', () => {
  const long = longSheet(2500)
  const sortings = (['name', 'size', 'modified'] as const).flatMap((by) => [false, true].map((asc) => ({ by, asc })))

  it.each(sortings)('is how the whole begins, with the counts of the whole: %o', (sorting) => {
    const asked: FolderTask = { ...task(long, sorting), form: 'rows', named: orderOfNames(long.names) }
    const whole = z.parse(Rows, JSON.parse(folderText(asked)))
    const firstRows = z.parse(Rows, JSON.parse(firstRowsText(asked) ?? ''))
    const few = firstRows.names.length
    expect(few).toBeGreaterThan(100)
    const cut = { names: whole.names.slice(0, few), sizes: whole.sizes.slice(0, few), modifieds: whole.modifieds.slice(0, few) }
    expect(firstRows).toEqual({ ...whole, ...cut, types: whole.types.slice(0, few) })
  })

  it('is not told of short folders, nor where the order of the names is not known', () => {
    expect(firstRowsText({ ...task(FEW, NAMES), form: 'rows', named: orderOfNames(FEW.names) })).toBeNull()
    expect(firstRowsText({ ...task(long, NAMES), form: 'rows' })).toBeNull()
  })
})

describe('a folder on the wire', () => {
  it('has the keys of the predecessor, in its order', () => {
    const one = sheetOf([['1.txt', FILE, 2, Date.UTC(2026, 10, 21, 1, 55, 46, 103) + 0.922]])
    expect(folderText(task(one, NAMES))).toBe(
      '{"items":[{"path":"/d1/1.txt","name":"1.txt","size":2,"extension":".txt","modified":"2026-11-21T01:55:46.103922Z","mode":420,' +
        '"isDir":false,"isSymlink":false,"type":"text"}],"numDirs":0,"numFiles":1,"sorting":{"by":"name","asc":false},"kind":"listing",' +
        '"path":"/d1","name":"d1","size":4096,"extension":"","modified":"1970-01-01T00:00:00Z","mode":2147484141,"isDir":true,' +
        '"isSymlink":false,"type":""}',
    )
  })

  it('echoes the path as it was asked for, and joins children to the clean one', () => {
    const text = folderText({ ...task(FEW, NAMES), head: { ...HEAD, path: '/d1/' } })
    expect(z.parse(Folder, JSON.parse(text))).toMatchObject({ path: '/d1/', items: [{ path: '/d1/alps' }, {}, {}, {}, {}] })
  })

  it('counts folders and files', () => {
    expect(asFolder(FEW, NAMES)).toMatchObject({ numDirs: 2, numFiles: 3 })
    expect(asFolder(sheetOf([]), NAMES)).toMatchObject({ numDirs: 0, numFiles: 0, items: [] })
  })

  it('brings back every name there can be, also one that is not UTF-8', () => {
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
    const columns = sheetOf(names.map((name) => [name, FILE, 1, 1]))
    const folder = asFolder(columns, NAMES)
    expect(folder.items.map((item) => item.name).toSorted()).toEqual(names.toSorted())
    expect(folder.items.every((item) => item.path === `/d1/${item.name}`)).toBe(true)
    expect(asRows(columns, NAMES).names.toSorted()).toEqual(names.toSorted())
  })

  it('says what a node is by its name, and that a link is one', () => {
    const columns: FolderColumns = {
      ...sheetOf([
        ['a.mp4', FILE, 1, 1],
        ['broken', 0o120777, 1, 1],
        ['pipe.txt', 0o10644, 0, 1],
        ['to-folder', DIR, 4096, 1],
        ['README', FILE, 9, 1],
      ]),
      links: new Map([
        [1, 'bad'],
        [3, 'good'],
      ]),
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

describe('the folder writer', () => {
  it('writes long folders in its thread as it writes short ones here, several at a time, and starts again after a rest', async () => {
    using writer = createFolderWriter({ entriesHere: 2, idleMs: 10 })
    const odd = sheetOf(['\udcff', 'b', 'a', ' '].map((name) => [name, FILE, 1, 1]))
    const tasks = [task(FEW, NAMES), task(odd, NAMES), { ...task(FEW, { by: 'size', asc: true }), form: 'rows' as const }]
    for (let round = 0; round < 2; round++) {
      const texts = await Promise.all(tasks.map(async (one) => new TextDecoder().decode(await writer.write(one))))
      expect(texts).toEqual(tasks.map(folderText))
      await Bun.sleep(50)
    }
  })

  it('refuses what it had not finished when it is closed', async () => {
    const writer = createFolderWriter({ entriesHere: 0 })
    const answer = writer.write(task(FEW, NAMES)).catch(String)
    writer[Symbol.dispose]()
    expect(await answer).toContain('closed')
  })
})

const HEAD = { path: '/d1', name: 'd1', size: 4096, modified: 0, mode: DIR, isSymlink: false }

function sheetOf(nodes: [name: string, mode: number, size: number, modified: number][]): FolderColumns {
  return {
    names: nodes.map(([name]) => name),
    modes: Uint32Array.from(nodes, ([, mode]) => mode),
    sizes: Float64Array.from(nodes, ([, , size]) => size),
    modified: Float64Array.from(nodes, ([, , , modified]) => modified),
    links: new Map(),
    sniffed: new Map(),
  }
}

/** Few folders among many files, some as large or as old as others. */
function longSheet(entries: number): FolderColumns {
  const nodes = Array.from({ length: entries }, (_, at) => [
    `${(at * 7919) % entries}.txt`,
    at % 50 === 0 ? DIR : FILE,
    at % 90,
    (at * 31) % 700,
  ])
  return sheetOf(nodes as Parameters<typeof sheetOf>[0])
}

function task(columns: FolderColumns, sorting: Sorting): FolderTask {
  return { form: 'items', head: HEAD, sorting, columns }
}

function asFolder(columns: FolderColumns, sorting: Sorting): Folder {
  const folder = z.parse(Folder, JSON.parse(folderText(task(columns, sorting))))
  for (const item of folder.items) z.parse(Item, item)
  return folder
}

function asRows(columns: FolderColumns, sorting: Sorting): Rows {
  return z.parse(Rows, JSON.parse(folderText({ ...task(columns, sorting), form: 'rows' })))
}
