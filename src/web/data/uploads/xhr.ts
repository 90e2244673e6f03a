import { AppError, type ErrorCode, type ErrorDetails, fail } from '../../../shared/errors.ts'

export interface Outgoing {
  readonly method: 'POST' | 'PATCH' | 'HEAD' | 'DELETE'
  readonly address: string
  readonly headers: Record<string, string>
  readonly body?: Blob
  readonly signal?: AbortSignal
  /** Bytes of this body that have left so far. */
  readonly onProgress?: (sent: number) => void
  /** Hears every answer, also one that becomes a failure. */
  readonly onAnswer?: (answer: Incoming) => void
}

export interface Incoming {
  readonly status: number
  header(name: string): string | null
}

/**
 * A request with upload progress, which fetch cannot report. Fails with the server's AppError, with `offline` when there was no answer, and with
 * an AbortError when the signal said so.
 */
export function sendXhr({ method, address, headers, body, signal, onProgress, onAnswer }: Outgoing): Promise<Incoming> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted())
    const xhr = new XMLHttpRequest()
    const abort = (): void => xhr.abort()
    xhr.open(method, address)
    xhr.setRequestHeader('accept', 'application/json')
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.upload.addEventListener('progress', (event) => onProgress?.(event.loaded))
    xhr.addEventListener('load', () => {
      const answer = { status: xhr.status, header: (name: string) => xhr.getResponseHeader(name) }
      onAnswer?.(answer)
      if (xhr.status >= 400 || xhr.status === 202) reject(errorOf(xhr))
      else resolve(answer)
    })
    xhr.addEventListener('error', () => reject(new AppError('offline', {})))
    xhr.addEventListener('abort', () => reject(aborted()))
    xhr.addEventListener('loadend', () => signal?.removeEventListener('abort', abort))
    signal?.addEventListener('abort', abort)
    xhr.send(body ?? null)
  })
}

/** The reason of a signal that stops an upload to go on later; what the server has of it is kept. */
export const PAUSED = 'paused'

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

function aborted(): DOMException {
  return new DOMException('aborted', 'AbortError')
}

function errorOf(xhr: XMLHttpRequest): AppError {
  try {
    const parsed: unknown = JSON.parse(xhr.responseText)
    if (typeof parsed === 'object' && parsed !== null && 'code' in parsed && 'detail' in parsed) {
      // The server's code list and ours are the same file.
      return new AppError(parsed.code as ErrorCode, parsed.detail as ErrorDetails[ErrorCode])
    }
    return fail('unexpected', { incident: String(xhr.status) })
  } catch {
    return new AppError('unexpected', { incident: String(xhr.status) })
  }
}
