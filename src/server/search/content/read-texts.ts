import { isAppError } from '../../../shared/errors.ts'
import { type FilePath, nameOf, parentOf } from '../../../shared/file-path.ts'
import { MAX_TEXT_BYTES } from '../../../shared/limits.ts'
import type { Drive } from '../../drive/drive.ts'
import type { Found } from '../finder.ts'
import { HEAD_BYTES, holdsText } from './text-in.ts'

/** Files that were read whole. */
export interface Texts {
  readonly files: readonly Found[]
  readonly bytes: Uint8Array
  /** Bytes of each; -1 for one that was not read. */
  readonly sizes: Int32Array
}

export interface ReadOptions {
  readonly signal: AbortSignal
  /** Called before this many bytes are read. */
  readonly onBytes: (bytes: number) => void
  /** Called for a text that is too large to read. */
  readonly onLarge: () => void
}

/** Files up to this size are read in batches, whatever they contain. */
const SMALL_BYTES = 64 * 1024

/** Reads those of some files that may contain text: small ones in batches per folder, others one by one if their first bytes are text. */
export async function* readTexts(drive: Drive, files: readonly Found[], options: ReadOptions): AsyncGenerator<Texts, void> {
  const { signal, onBytes } = options
  const isSmall = ({ size }: Found): boolean => size <= SMALL_BYTES
  const single = files.filter((file) => !isSmall(file))
  for (const [folder, small] of Map.groupBy(files.filter(isSmall), ({ path }) => parentOf(path))) {
    signal.throwIfAborted()
    onBytes(sumOf(small.map(({ size }) => size)))
    const read = await readFolder(drive, folder, small)
    single.push(...small.filter((_, index) => (read?.sizes[index] ?? -1) < 0))
    if (read !== null) yield { files: small, ...read }
  }
  for (const file of single) {
    signal.throwIfAborted()
    const bytes = await readOne(drive, file, options)
    if (bytes !== null) yield { files: [file], bytes, sizes: Int32Array.of(bytes.length) }
  }
}

/** Null if the folder has gone. */
async function readFolder(drive: Drive, folder: FilePath, files: readonly Found[]): Promise<Pick<Texts, 'bytes' | 'sizes'> | null> {
  try {
    return await drive.readSmall(
      folder,
      files.map(({ path }) => nameOf(path)),
      { mostBytes: SMALL_BYTES },
    )
  } catch (error) {
    return isAppError(error) ? null : Promise.reject(error)
  }
}

/** Null if it is not text, too large, or cannot be opened: a broken link, a pipe, a removed file. */
async function readOne(drive: Drive, { path }: Found, { onBytes, onLarge }: ReadOptions): Promise<Uint8Array | null> {
  const name = nameOf(path)
  try {
    await using file = await drive.open(path)
    const { size } = file.stat
    const head = await file.peek(0, HEAD_BYTES)
    const isLarge = size > MAX_TEXT_BYTES
    if (!holdsText({ name, size: Math.min(size, MAX_TEXT_BYTES), head })) return null
    if (isLarge) {
      onLarge()
      return null
    }
    onBytes(size)
    return await file.peek(0, size)
  } catch (error) {
    return isAppError(error) ? null : Promise.reject(error)
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}
