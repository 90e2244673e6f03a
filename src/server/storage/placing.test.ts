import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { byLink, byRename, byReservation, renameExclusive } from './placing.ts'
import { openFolder, openRoot } from './open-folder.ts'
import type { Folder } from './proc-paths.ts'

describe('placing a node under a name that must be free', () => {
  let root: string
  let folder: Folder
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'placing-'))
    folder = openFolder(openRoot(root), [])
    writeFileSync(`${root}/file`, 'file')
    writeFileSync(`${root}/taken`, 'taken')
    mkdirSync(`${root}/folder/in`, { recursive: true })
    mkdirSync(`${root}/full/in`, { recursive: true })
  })
  afterEach(() => {
    folder[Symbol.dispose]()
    rmSync(root, { recursive: true })
  })

  const place = (from: string, to: string, ways: (typeof byRename)[]): string =>
    renameExclusive({ folder, name: from }, { folder, name: to }, { ways })

  for (const [name, way] of Object.entries({ byRename, byLink, byReservation })) {
    it(`${name}: moves a file, refuses a taken name`, () => {
      expect(place('file', 'taken', [way])).toBe('taken')
      expect(place('file', 'full', [way])).toBe('taken')
      expect(place('file', 'new', [way])).toBe('placed')
      expect(readFileSync(`${root}/new`, 'utf8')).toBe('file')
      expect(readFileSync(`${root}/taken`, 'utf8')).toBe('taken')
      expect(existsSync(`${root}/file`)).toBe(false)
    })
  }

  it('moves a folder if the kernel has no rename without overwriting', () => {
    expect(place('folder', 'full', [byLink, byReservation])).toBe('taken')
    expect(place('folder', 'new', [byLink, byReservation])).toBe('placed')
    expect(readdirSync(`${root}/new`)).toEqual(['in'])
  })

  it('removes its reservation when the rename fails', () => {
    using inner = openFolder(folder, ['folder', 'in'])
    expect(() => renameExclusive({ folder, name: 'folder' }, { folder: inner, name: 'new' }, { ways: [byReservation] })).toThrow()
    expect(readdirSync(`${root}/folder/in`)).toEqual([])
  })
})
