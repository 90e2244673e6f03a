import { fail } from './errors.ts'

/** A piece of an open file that the kernel can send by itself. Valid until the next part is requested. */
export interface FilePart {
  readonly descriptor: number
  readonly start: number
  readonly end: number
  peek(start: number, length: number): Promise<Uint8Array>
}

export type Part = Uint8Array | FilePart

const CHUNK_BYTES = 256 * 1024

/** The same bytes without file pieces, for callers that cannot send those. Fails with `precondition-failed` if a file has become shorter. */
export async function* bytesOf(parts: AsyncIterable<Part>): AsyncGenerator<Uint8Array, void> {
  for await (const part of parts) {
    if (part instanceof Uint8Array) yield part
    else for (let at = part.start; at < part.end; at += CHUNK_BYTES) yield await readPart(part, at, CHUNK_BYTES)
  }
}

/** Pieces of a long part, between which access is checked again. */
const PIECE_BYTES = 1024 * 1024

/** A long part of a file in pieces. */
export function* piecesOf(part: Part): Generator<Part> {
  if (part instanceof Uint8Array) return yield part
  for (let { start } = part; start < part.end; start += PIECE_BYTES) yield { ...part, start, end: Math.min(part.end, start + PIECE_BYTES) }
}

/** The bytes of a piece of a file from `at` on, at most `most`. Fails with `precondition-failed` if the file has become shorter. */
export async function readPart({ end, peek }: FilePart, at: number, most: number): Promise<Uint8Array> {
  const length = Math.min(most, end - at)
  const bytes = await peek(at, length)
  return bytes.length === length ? bytes : fail('precondition-failed', {})
}
