import { constants, createGzip, createZstdCompress } from 'node:zlib'
import { respondStreamed } from '../http/bytes.ts'
import { chooseCoding } from './encoding.ts'

export interface PiecesOptions {
  readonly mediaType: string
  readonly request: Request
  /** Whether it stays on this machine. */
  readonly local: boolean
  readonly headers?: Record<string, string>
  /** 200 by default. */
  readonly status?: number
}

/**
 * One answer that is made piece by piece and no faster than the client takes it, compressed where it travels over a network. Where a piece fails the
 * answer breaks off.
 */
export function respondPieces(
  pieces: AsyncGenerator<Uint8Array>,
  { mediaType, request, local, headers: more = {}, status = 200 }: PiecesOptions,
): Response {
  const headers: Record<string, string> = { 'content-type': mediaType, vary: 'Accept, Accept-Encoding', ...more }
  const coding = local ? null : chooseCoding(request.headers.get('accept-encoding') ?? '')
  if (coding !== null) headers['content-encoding'] = coding
  const close = async (): Promise<void> => undefined
  return respondStreamed(coding === null ? pieces : compressed(pieces, coding), { headers, close, status })
}

/** Flushes the coder after each piece, so that the client gets it before the next one is ready. */
async function* compressed(pieces: AsyncIterable<Uint8Array>, coding: 'zstd' | 'gzip'): AsyncGenerator<Uint8Array, void> {
  const coder = coding === 'zstd' ? createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } }) : createGzip({ level: 2 })
  async function feed(): Promise<void> {
    for await (const piece of pieces) {
      coder.write(piece)
      await new Promise<void>((resolve) => coder.flush(resolve))
    }
    coder.end()
  }
  feed().catch((error: unknown) => coder.destroy(error instanceof Error ? error : new Error(String(error))))
  yield* coder
}
