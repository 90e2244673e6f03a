import { useEffect, useState } from 'react'
import type { ByteSource } from '../byte-source.ts'
import { type Book, BookProtected, openBook } from './book.ts'

/** Null while it is opened; `broken` for what is no book, `protected` for one that only another program has the key of. */
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
