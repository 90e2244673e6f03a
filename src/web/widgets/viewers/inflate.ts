/** The output exceeds the limit. */
export class OutputTooLarge extends Error {
  override readonly name = 'TooMuch'
}

/**
 * Decompresses with the browser's DecompressionStream and stops above `most` bytes, whatever the archive claims. Fails with `OutputTooLarge`, and
 * with a TypeError for invalid data.
 */
export async function inflate(
  packed: Uint8Array<ArrayBuffer>,
  { format, most }: { format: 'deflate' | 'deflate-raw'; most: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream(format)).getReader()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
    if (value === undefined) continue
    length += value.length
    if (length > most) {
      await reader.cancel().catch(() => undefined)
      throw new OutputTooLarge(`more than ${most} bytes`)
    }
    pieces.push(new Uint8Array(value))
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
