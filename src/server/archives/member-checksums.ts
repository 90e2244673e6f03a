import { crc32 } from 'node:zlib'
import type { Drive } from '../drive/drive.ts'
import type { Checksums } from './checksums.ts'
import { chunksOf, type OpenFile, openUnchanged } from './reading.ts'
import { addSpan, firstUnknown, PIECE_BYTES, type Span, wholeOf } from './spans.ts'
import type { Member } from './walk.ts'

/** Smaller files are read again faster than their row is found. */
const WORTH_BYTES = 64 * 1024

/** The CRC-32 of members, from memory where known, otherwise from the disk. */
export type MemberChecksums = ReturnType<typeof createMemberChecksums>

export function createMemberChecksums(drive: Drive, checksums: Checksums, signal: AbortSignal) {
  async function watch(file: OpenFile, start: number) {
    const { size } = file.stat
    if (size >= WORTH_BYTES && wholeOf(await checksums.recall(file.stat), size) !== null) return null
    let at = start
    let crc = 0
    // The piece that is seen from its beginning; null in the middle of one.
    let piece = start % PIECE_BYTES === 0 ? start / PIECE_BYTES : null
    return {
      async see(bytes: Uint8Array) {
        for (let from = 0; from < bytes.length;) {
          const border = Math.min(size, (Math.floor(at / PIECE_BYTES) + 1) * PIECE_BYTES)
          const part = bytes.subarray(from, from + border - at)
          from += part.length
          at += part.length
          if (piece !== null) crc = crc32(part, crc)
          if (at < border) continue
          if (piece !== null) await learn(file, { first: piece, end: piece + 1, crc })
          piece = Math.floor(at / PIECE_BYTES)
          crc = 0
        }
      },
    }
  }

  async function learn(file: OpenFile, span: Span): Promise<void> {
    if (file.stat.size >= WORTH_BYTES) await checksums.learn(file.stat, span)
  }

  async function readGaps(file: OpenFile, known: readonly Span[]): Promise<number> {
    const { size } = file.stat
    let spans = known
    for (let whole = wholeOf(spans, size); ; whole = wholeOf(spans, size)) {
      if (whole !== null) return whole
      const first = firstUnknown(spans)
      let crc = 0
      for await (const bytes of chunksOf(file, first * PIECE_BYTES, Math.min(size, (first + 1) * PIECE_BYTES))) {
        signal.throwIfAborted()
        crc = crc32(bytes, crc)
      }
      const span = { first, end: first + 1, crc }
      spans = addSpan(spans, span, size)
      await learn(file, span)
    }
  }

  return {
    /** Observes the bytes that are sent and stores the checksum of each piece that it saw completely. Null if everything is known already. */
    watch,
    async of(member: Member): Promise<number> {
      signal.throwIfAborted()
      if (member.size === 0) return 0
      if (member.source instanceof Uint8Array) return crc32(member.source)
      await using file = await openUnchanged(drive, member)
      return await readGaps(file, member.size < WORTH_BYTES ? [] : await checksums.recall(file.stat))
    },
  }
}
