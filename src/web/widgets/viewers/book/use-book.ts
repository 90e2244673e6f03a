import { useEffect, useState } from 'react'
import type { ByteSource } from '../byte-source.ts'
import { type Book, BookProtected, openBook } from './book.ts'

/** Null while loading; `broken` if it is not an EPUB, `protected` if it is encrypted. */
export function useBook(source: ByteSource): Book | 'broken' | 'protected' | null {
  const [book, setBook] = useState<Book | 'broken' | 'protected' | null>(null)
  // Reads the file.
  useEffect(() => {
    const left = new AbortController()
    openBook(source, { signal: left.signal }).then(
      (opened) => !left.signal.aborted && setBook(opened),
      (error: unknown) => !left.signal.aborted && setBook(error instanceof BookProtected ? 'protected' : 'broken'),
    )
    return () => left.abort()
  }, [source])
  return book
}
