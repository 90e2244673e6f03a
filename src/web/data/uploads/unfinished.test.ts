import { expect, it } from 'bun:test'
import { matchFiles } from './unfinished.ts'
import { uploadMetadata } from './tus-upload.ts'

it('recognizes an unfinished file by name, size and time', () => {
  const film = file('film.mkv', 'bytes', 5)
  const unfinished = [{ path: '/d/film(1).mkv', length: 5, offset: 2, upload: 'u', stamp: uploadMetadata(film), expires: 0, active: false }]
  expect(matchFiles(unfinished, [file('other', 'bytes', 5), film]).map(({ path }) => String(path))).toEqual(['/d/film(1).mkv'])
  for (const other of [file('film.mkv', 'more bytes', 5), file('film.mkv', 'bytes', 6), file('film.avi', 'bytes', 5)])
    expect(matchFiles(unfinished, [other])).toEqual([])
})

function file(name: string, content: string, lastModified: number): File {
  return new File([content], name, { lastModified })
}
