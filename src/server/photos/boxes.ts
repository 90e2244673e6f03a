import type { Peek } from '../previews/tiff.ts'
import { ascii, type Span, viewAt } from './limited-peek.ts'

export interface Box extends Span {
  readonly kind: string
}

const MOST_BOXES = 512

/** The boxes in a part of an ISO base media file (ISO/IEC 14496-12, 4.2), each without its head. */
export async function* boxesIn(peek: Peek, { start, end }: Span): AsyncGenerator<Box, void> {
  for (let at = start, boxes = 0; at + 8 <= end && boxes < MOST_BOXES; boxes++) {
    const head = await viewAt(peek, at, 16)
    const short = head.getUint32(0)
    const isLong = short === 1
    const length = isLong ? Number(head.getBigUint64(8)) : short === 0 ? end - at : short
    const begin = at + (isLong ? 16 : 8)
    if (at + length < begin || at + length > end) return
    yield { kind: ascii(head, 4, 4), start: begin, end: at + length }
    at += length
  }
}

/** The first box of a kind. */
export async function boxIn(peek: Peek, span: Span | null, kind: string): Promise<Box | null> {
  if (span === null) return null
  for await (const box of boxesIn(peek, span)) if (box.kind === kind) return box
  return null
}

/** Without the version and flags that some boxes begin with. */
export function inside(box: Box | null, bytes = 4): Span | null {
  return box && { start: box.start + bytes, end: box.end }
}
