/** Reading position. */
export interface ReadingPosition {
  readonly chapter: number
  /** Scroll position, from 0 to 1. */
  readonly position: number
}

type Store = Pick<Storage, 'getItem' | 'setItem'>

const KEY = 'satchel-books'
/** Only for the most recently read books. */
const MOST_BOOKS = 100

/** A hash of name and size, so that storage does not reveal which books were read. */
export function bookId(name: string, size: number): string {
  // FNV-1a, 32 bits: collisions among a hundred books are negligible.
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

/** The start for an unread book, or one that has become shorter. */
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
