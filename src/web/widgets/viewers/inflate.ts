/** More came out than may. */
export class OutputTooLarge extends Error {
  override readonly name = 'TooMuch'
}

/**
 * Unpacks with the browser's own decompression, and stops as soon as more than `most` bytes come out, whatever the archive promised.
 * Fails with `TooMuch`, and with a TypeError for bytes that are not packed so.
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
