import { read } from 'node:fs'
import { Readable } from 'node:stream'
import { RandomAccessReader } from 'yauzl'
import { bytesBetween, type Source } from './source.ts'

/**
 * The archive's bytes as yauzl requests them. A zip may contain offsets outside of the file; the library's own reader passes them to the system and
 * throws where it cannot be caught.
 */
export function createZipReader(source: Source): RandomAccessReader {
  return new ZipReader(source)
}

class ZipReader extends RandomAccessReader {
  readonly #source: Source

  constructor(source: Source) {
    super()
    this.#source = source
  }

  override read(buffer: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void): void {
    const { descriptor, size } = this.#source
    if (!(position >= 0 && position + length <= size)) {
      setImmediate(() => callback(new Error('beyond the end')))
      return
    }
    read(descriptor, buffer, offset, length, position, (error, bytesRead) =>
      callback(error ?? (bytesRead < length ? new Error('cut off') : null)),
    )
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(bytesBetween(this.#source, start, end), { objectMode: false })
  }
}
