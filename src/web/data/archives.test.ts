import { expect, it } from 'bun:test'
import { type ArchiveEntry, entriesIn } from './archives.ts'

it('a folder of an archive lists its content, including implicit folders, in listing order', () => {
  const entries = ['b/10.txt', 'b/2.txt', 'b/c/deep.txt', 'b/a(1).txt', 'b/a.txt', 'a.txt'].map(entry)
  const shown = (folder: string) => entriesIn(entries, folder).map(({ name, isDir }) => (isDir ? `${name}/` : name))
  expect(shown('')).toEqual(['b/', 'a.txt'])
  expect(shown('b')).toEqual(['c/', '2.txt', '10.txt', 'a.txt', 'a(1).txt'])
  expect(shown('nowhere')).toEqual([])
})

function entry(path: string, index: number): ArchiveEntry {
  return { index, path, isDir: false, size: 1, modified: null }
}
