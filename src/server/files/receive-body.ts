import { fail } from '../../shared/errors.ts'
import type { Drive } from '../drive/drive.ts'

type StagedFile = Awaited<ReturnType<Drive['stage']>>

/** An upload without a byte for this long is aborted. */
const STALL_MS = 60_000

export interface ReceiveOptions {
  request: Request
  body: ReadableStream<Uint8Array> | null
  stallMs?: number
}

/**
 * Stages the whole body. Fails, so that nothing is published, if the client disconnects, stalls, or sends fewer bytes than it announced. The caller
 * discards what was staged.
 */
export async function receiveBody(staged: StagedFile, { request, body, stallMs = STALL_MS }: ReceiveOptions): Promise<void> {
  if (body === null) return void (await staged.append(new Uint8Array()))
  const stalled = new AbortController()
  const stop = () => stalled.abort(new DOMException('the upload brings no more bytes', 'TimeoutError'))
  const limit = setTimeout(stop, stallMs)
  try {
    const signal = AbortSignal.any([request.signal, stalled.signal])
    const size = await staged.append(body, { signal, onBytes: () => void limit.refresh() })
    const announced = request.headers.get('content-length')
    if (announced !== null && size !== Number(announced)) fail('invalid-input', { issues: ['body: shorter than announced'] })
    request.signal.throwIfAborted()
  } finally {
    clearTimeout(limit)
  }
}
