import { expect, it } from 'bun:test'
import { ROW_FOLDER, ROW_TYPES } from '../../shared/contract/resources.ts'
import { isAlbum } from './album.ts'

const of = (type: (typeof ROW_TYPES)[number]) => ROW_TYPES.indexOf(type)

it('U9: a folder is an album if most of its files are pictures and videos', () => {
  const album = (...types: number[]) => isAlbum({ types })
  expect(album(of('image'), of('video'), of('text'))).toBe(true)
  expect(album(of('image'), of('text'))).toBe(false)
  expect(album(ROW_FOLDER, ROW_FOLDER, of('image'))).toBe(true)
  expect([album(), album(ROW_FOLDER)]).toEqual([false, false])
})
