/** Where somebody was in a book. */
export interface ReadingPosition {
  readonly chapter: number
  /** How far down its text, from 0 to 1. */
  readonly position: number
}

type Store = Pick<Storage, 'getItem' | 'setItem'>

const KEY = 'satchel-books'
/** Of so many books, the last ones that were read. */
const MOST_BOOKS = 100

/** What stands for a file of that name and size; whoever uses this browser next does not learn which books were read. */
export function bookId(name: string, size: number): string {
  // FNV-1a, 32 bits of it: of a hundred books no two are the same.
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return `${hash.toString(36)}-${size}`
}

/** @param book its `bookId` */
export function saveReadingPosition(storage: Store, book: string, { chapter, position }: ReadingPosition): void {
  const others = placesIn(storage).filter(([name]) => name !== book)
  const places = [[book, chapter, Math.round(position * 10_000) / 10_000] as const, ...others].slice(0, MOST_BOOKS)
  storage.setItem(KEY, JSON.stringify(places))
}

/** The beginning for a book that was never read, or has become shorter. */
export function loadReadingPosition(storage: Store, book: string, { chapters }: { chapters: number }): ReadingPosition {
  const [, chapter = 0, position = 0] = placesIn(storage).find(([name]) => name === book) ?? []
  return chapter < chapters ? { chapter, position } : { chapter: 0, position: 0 }
}

function placesIn(storage: Store): (readonly [string, number, number])[] {
  try {
    const places: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
    return Array.isArray(places) ? places.filter(isPlace) : []
  } catch {
    return []
  }
}

function isPlace(value: unknown): value is readonly [string, number, number] {
  if (!Array.isArray(value)) return false
  const [name, chapter, part] = value as unknown[]
  return typeof name === 'string' && Number.isInteger(chapter) && Number(chapter) >= 0 && typeof part === 'number' && part >= 0 && part <= 1
}
