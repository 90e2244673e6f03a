import { type PiecesOptions, respondPieces } from './pieces-response.ts'

const BEFORE_EACH = new TextEncoder().encode('\x1e')
const AFTER_EACH = new TextEncoder().encode('\n')

/** JSON texts in UTF-8 as a sequence (RFC 7464), each sent as soon as it is available, in pieces if it comes in pieces. */
export function respondSequence(texts: AsyncIterable<Uint8Array | AsyncIterable<Uint8Array>>, options: PiecesOptions): Response {
  return respondPieces(framed(texts), { ...options, headers: { 'x-accel-buffering': 'no' } })
}

async function* framed(texts: AsyncIterable<Uint8Array | AsyncIterable<Uint8Array>>): AsyncGenerator<Uint8Array, void> {
  for await (const text of texts) {
    if (text instanceof Uint8Array) yield Buffer.concat([BEFORE_EACH, text, AFTER_EACH])
    else {
      yield BEFORE_EACH
      yield* text
      yield AFTER_EACH
    }
  }
}
