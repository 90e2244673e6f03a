/** How fast pieces grow while they arrive. */
const GROWTH = 4
/**
 * The longest time for one piece, at the speed of the last: a broken connection costs at most this much behind a proxy that stores whole bodies, and
 * some proxies (Traefik) close requests after a minute.
 */
const PIECE_MS = 20_000

/**
 * The bytes of the next request of an upload. Grows from `firstBytes`, and never shrinks below: then nearly all of a large file travels in a few
 * requests.
 */
export function createPieceSize(firstBytes: number) {
  let size = firstBytes
  return {
    next: (): number => size,
    /** A piece was stored. */
    arrived({ bytes, ms }: { bytes: number; ms: number }): void {
      // Small pieces, the last one or those that a proxy demands, tell little about the speed.
      if (bytes < size) return
      size = Math.max(firstBytes, Math.min(size * GROWTH, Math.floor((bytes / Math.max(1, ms)) * PIECE_MS)))
    },
  }
}
