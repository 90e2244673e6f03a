import { combineCrc32 } from './crc32.ts'

/** A file's checksum is known in pieces of this size, because ranges and interrupted downloads see only parts of it. */
export const PIECE_BYTES = 16 * 1024 * 1024

/** The CRC-32 of the pieces from `first` up to, not including, `end`. */
export interface Span {
  readonly first: number
  readonly end: number
  readonly crc: number
}

export function piecesOf(size: number): number {
  return Math.ceil(size / PIECE_BYTES)
}

/** The known spans plus one more: sorted, without overlaps, neighbours joined. Known pieces stay as they were. */
export function addSpan(spans: readonly Span[], span: Span, size: number): Span[] {
  if (spans.some(({ first, end }) => first < span.end && span.first < end)) return [...spans]
  const joined: Span[] = []
  for (const next of [...spans, span].toSorted((a, b) => a.first - b.first)) {
    const last = joined.at(-1)
    if (last === undefined || last.end !== next.first) joined.push(next)
    else joined.splice(-1, 1, { first: last.first, end: next.end, crc: combineCrc32(last.crc, next.crc, bytesOf(next, size)) })
  }
  return joined
}

/** The checksum of the whole file; null while a piece is missing. */
export function wholeOf(spans: readonly Span[], size: number): number | null {
  const [only] = spans
  return only !== undefined && only.first === 0 && only.end === piecesOf(size) ? only.crc : null
}

/** The first unknown piece. */
export function firstUnknown(spans: readonly Span[]): number {
  const [span] = spans
  return span?.first === 0 ? span.end : 0
}

function bytesOf({ first, end }: Span, size: number): number {
  return Math.min(size, end * PIECE_BYTES) - first * PIECE_BYTES
}
