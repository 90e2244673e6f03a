import { expect, it } from 'bun:test'
import { bookId, loadReadingPosition, saveReadingPosition } from './reading-position.ts'

it('remembers where each of the last hundred books was left, and believes nothing odd', () => {
  const kept = new Map<string, string>()
  const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) }
  saveReadingPosition(storage, 'first', { chapter: 1, position: 0.5 })
  for (let n = 0; n < 100; n++) saveReadingPosition(storage, `book ${n}`, { chapter: n, position: 1 / 3 })
  saveReadingPosition(storage, 'book 7', { chapter: 8, position: 0.25 })
  expect(loadReadingPosition(storage, 'book 7', { chapters: 9 })).toEqual({ chapter: 8, position: 0.25 })
  expect(loadReadingPosition(storage, 'book 99', { chapters: 100 })).toEqual({ chapter: 99, position: 0.3333 })
  expect(loadReadingPosition(storage, 'first', { chapters: 9 })).toEqual({ chapter: 0, position: 0 })
  expect(loadReadingPosition(storage, 'book 7', { chapters: 8 })).toEqual({ chapter: 0, position: 0 })
  for (const odd of ['{', '{}', '[["a",-1,0]]', '[["a",0,2]]', '[["a","b"]]', '[null]']) {
    kept.set('satchel-books', odd)
    expect(loadReadingPosition(storage, 'a', { chapters: 9 })).toEqual({ chapter: 0, position: 0 })
  }
})

it('knows a book by its file without keeping its name', () => {
  expect(bookId('diary.epub', 10)).toBe(bookId('diary.epub', 10))
  expect(new Set([bookId('diary.epub', 10), bookId('diary.epub', 11), bookId('diarz.epub', 10)]).size).toBe(3)
  expect(bookId('diary.epub', 10)).not.toContain('diary')
})
