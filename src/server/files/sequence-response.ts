import { constants, createGzip, createZstdCompress } from 'node:zlib'
import { respondStreamed } from '../http/bytes.ts'
import { chooseCoding, staysHere } from './encoding.ts'

const BEFORE_EACH = '\x1e'
const AFTER_EACH = '\n'

/**
 * JSON texts in UTF-8 as a sequence (RFC 7464), each sent as soon as it is ready, compressed if it travels over a network. If one fails, the response
 * breaks off.
 */
export function respondSequence(
  texts: AsyncIterable<Uint8Array>,
  { mediaType, request, peer }: { mediaType: string; request: Request; peer: string | null },
): Response {
  const vary = 'Accept, Accept-Encoding'
  const headers: Record<string, string> = { 'content-type': mediaType, vary, 'x-accel-buffering': 'no' }
  const coding = staysHere(request, peer) ? null : chooseCoding(request.headers.get('accept-encoding') ?? '')
  if (coding !== null) headers['content-encoding'] = coding
  const close = async (): Promise<void> => undefined
  return respondStreamed(coding === null ? framed(texts) : compressed(framed(texts), coding), { headers, close })
}

async function* framed(texts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const text of texts) yield Buffer.concat([Buffer.from(BEFORE_EACH), text, Buffer.from(AFTER_EACH)])
}

/** What has been written is flushed before waiting for more. */
async function* compressed(parts: AsyncIterable<Uint8Array>, coding: 'zstd' | 'gzip'): AsyncGenerator<Uint8Array, void> {
  const coder = coding === 'zstd' ? createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } }) : createGzip({ level: 2 })
  async function feed(): Promise<void> {
    for await (const part of parts) {
      coder.write(part)
      await new Promise<void>((resolve) => coder.flush(resolve))
    }
    coder.end()
  }
  feed().catch((error: unknown) => coder.destroy(error instanceof Error ? error : new Error(String(error))))
  yield* coder
}
