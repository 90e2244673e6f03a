import { parseFilePath } from '../shared/file-path.ts'
import { AppError } from '../shared/errors.ts'
import { asLost, createRetry, type Patience } from './retry.ts'
import type { Satchel } from './satchel.ts'

/**
 * The bytes of a file, or of a folder as a zip archive. After a lost connection they continue where they stopped; if the file has changed in between,
 * the stream fails with `precondition-failed`.
 */
export function download(satchel: Satchel, path: string, options: Patience = {}): ReadableStream<Uint8Array> {
  const retry = createRetry(options)
  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null
  let received = 0
  let etag: string | null = null

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        try {
          reader ??= (await opened()).getReader()
          const { done, value } = await reader.read()
          if (done) return controller.close()
          received += value.byteLength
          retry.progressed()
          return controller.enqueue(value)
        } catch (cause) {
          reader = null
          await retry.failed(asLost(cause))
        }
      }
    },
    cancel: (reason) => reader?.cancel(reason),
  })

  async function opened(): Promise<ReadableStream<Uint8Array>> {
    const headers: Record<string, string> =
      received === 0 ? {} : { range: `bytes=${received}-`, ...(etag !== null && { 'if-range': etag }) }
    const params = { path: parseFilePath(path), slash: path.endsWith('/') }
    const response = await satchel.raw.get({ params }, { headers, signal: options.signal })
    if (received > 0 && response.status !== 206) {
      await response.body?.cancel()
      throw new AppError('precondition-failed', { path })
    }
    etag = response.headers.get('etag')
    return response.body ?? new ReadableStream({ start: (controller) => controller.close() })
  }
}
