import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { constants, mkdirSync, mkdtempSync, openSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeBatch } from './remove-batch.ts'
import { openFolder, openRoot } from './open-folder.ts'
import { entryPath, type Folder, folderHandle } from './proc-paths.ts'

describe('dropping a folder in which a link to outside takes the place of a folder, after that was looked at', () => {
  let root: string
  let area: Folder
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'drop-'))
    mkdirSync(`${root}/area/1/d/sub`, { recursive: true })
    mkdirSync(`${root}/outside`)
    for (const file of ['area/1/d/file', 'area/1/d/sub/file', 'outside/secret']) writeFileSync(`${root}/${file}`, '')
    area = openFolder(openRoot(`${root}/area`), [])
  })
  afterEach(() => {
    area[Symbol.dispose]()
    rmSync(root, { recursive: true })
  })

  /** Removes everything, and swaps at the first opening of a folder within. */
  function dropWhileSwapped(open: typeof openFolder): void {
    let isSwapped = false
    const swapping: typeof openFolder = (start, names, options) => {
      if (!isSwapped) {
        renameSync(`${root}/area/1/d`, `${root}/away`)
        symlinkSync(`${root}/outside`, `${root}/area/1/d`)
      }
      isSwapped = true
      return open(start, names, options)
    }
    while (!removeBatch(area, '1', { open: swapping }).isDone);
    expect(readdirSync(`${root}/area`)).toEqual([])
  }

  it('removes the link alone (I2)', () => {
    dropWhileSwapped(openFolder)
    expect(readdirSync(`${root}/outside`)).toEqual(['secret'])
  })

  it('would empty what it leads to if folders were opened through links', () => {
    dropWhileSwapped((start, [name = '']) => folderHandle(openSync(entryPath(start, name), constants.O_RDONLY | constants.O_DIRECTORY)))
    expect(readdirSync(`${root}/outside`)).toEqual([])
  })
})
