import { beforeAll, describe, expect, it } from 'bun:test'
import { mkdirSync, mkdtempSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROWS_MEDIA_TYPE, ROWS_SEQUENCE_MEDIA_TYPE, type Rows } from '../../shared/contract/resources.ts'
import type { Sorting } from '../../shared/contract/users.ts'
import { createLocalStorage } from '../storage/local.ts'
import { testApp } from './test-app.ts'

const FILES = 2500
const sortings = (['name', 'size', 'modified'] as const).flatMap((by) => [false, true].map((asc) => ({ by, asc })))

let root: string

describe('a folder sent in parts', () => {
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'parts-'))
    for (const folder of ['many/zoo', 'many/alps', 'few', 'linked']) mkdirSync(join(root, folder), { recursive: true })
    for (let n = 0; n < FILES; n++) {
      for (const folder of ['many', 'linked']) writeFileSync(join(root, folder, `file ${n}.txt`), 'x'.repeat(n % 70))
      utimesSync(join(root, 'many', `file ${n}.txt`), n, 1_000_000 + ((n * 7919) % FILES))
    }
    symlinkSync('../few', join(root, 'linked', 'a link'))
    writeFileSync(join(root, 'few', 'a.txt'), 'hello')
  })

  it.each(sortings)('begins like the complete listing, in any order: %o', async (sorting) => {
    const [firstRows, whole, ...others] = await partsOf('/many/', sorting)
    expect(others).toEqual([])
    expect(whole).toEqual(await rowsOf('/many/', sorting))
    expect(whole).toMatchObject({ numDirs: 2, numFiles: FILES, names: { length: FILES + 2 } })
    const few = firstRows?.names.length ?? 0
    expect(few).toBeWithin(100, 300)
    expect(firstRows).toEqual(cut(whole, few))
  })

  it('waits for links that may be folders', async () => {
    const [firstRows, whole] = await partsOf('/linked/', { by: 'name', asc: false })
    expect(whole).toMatchObject({ numDirs: 1, numFiles: FILES, names: { length: FILES + 1 } })
    expect(firstRows).toEqual(cut(whole, firstRows?.names.length ?? 0))
    expect(firstRows?.names[0]).toBe('a link')
  })

  it('is a single part for a short folder or a file', async () => {
    expect(await partsOf('/few', { by: 'name', asc: false })).toMatchObject([{ kind: 'rows', names: ['a.txt'] }])
    const file = await ask('/few/a.txt', { accept: ROWS_SEQUENCE_MEDIA_TYPE, sorting: { by: 'name', asc: false } })
    expect(await file.json()).toMatchObject({ name: 'a.txt', content: 'hello' })
  })

  it('is an error response if the folder does not exist', async () => {
    const none = await ask('/none', { accept: ROWS_SEQUENCE_MEDIA_TYPE, sorting: { by: 'name', asc: false } })
    expect(none.status).toBe(404)
  })
})

async function ask(path: string, { accept, sorting }: { accept: string; sorting: Sorting }): Promise<Response> {
  const app = testApp({ storage: createLocalStorage(root), sorting })
  return app.request(`/api/resources${path}`, { headers: { accept: `${accept}, application/json;q=0.9` } }, { peer: null })
}

async function partsOf(path: string, sorting: Sorting): Promise<Rows[]> {
  const response = await ask(path, { accept: ROWS_SEQUENCE_MEDIA_TYPE, sorting })
  if (response.headers.get('content-type') !== ROWS_SEQUENCE_MEDIA_TYPE) return [(await response.json()) as Rows]
  const texts = (await response.text()).split('\n').slice(0, -1)
  expect(texts.every((text) => text.startsWith('\x1e'))).toBe(true)
  return texts.map((text) => JSON.parse(text.slice(1)) as Rows)
}

async function rowsOf(path: string, sorting: Sorting): Promise<Rows> {
  return (await (await ask(path, { accept: ROWS_MEDIA_TYPE, sorting })).json()) as Rows
}

function cut(whole: Rows | undefined, few: number): Rows | undefined {
  if (whole === undefined) return undefined
  const { names, sizes, modifieds, types } = whole
  return {
    ...whole,
    names: names.slice(0, few),
    sizes: sizes.slice(0, few),
    modifieds: modifieds.slice(0, few),
    types: types.slice(0, few),
  }
}
