import { AppError, type ErrorCode, type ErrorDetails } from '../../../shared/errors.ts'
import { BodyRefused } from './body-limit.ts'

export interface Outgoing {
  readonly method: 'POST' | 'PATCH' | 'HEAD' | 'DELETE'
  readonly address: string
  readonly headers: Record<string, string>
  readonly body?: Blob
  readonly signal?: AbortSignal
  /** Bytes of this body sent so far. */
  readonly onProgress?: (sent: number) => void
  /** Called for every response, including errors. */
  readonly onResponse?: (answer: Incoming) => void
}

export interface Incoming {
  readonly status: number
  header(name: string): string | null
  /** The response body. */
  text(): string
}

/** A request without progress for this long has lost its connection. */
const STALL_MS = 60_000

/**
 * A request with upload progress, which fetch does not report. Fails with the server's AppError, with `offline` if there is no response, with
 * BodyRefused if a proxy rejects the body's size, and with an AbortError.
 */
export function sendXhr({ method, address, headers, body, signal, onProgress, onResponse }: Outgoing): Promise<Incoming> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted())
    const xhr = new XMLHttpRequest()
    const abort = (): void => xhr.abort()
    xhr.open(method, address)
    xhr.setRequestHeader('accept', 'application/json')
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    let last = { sent: 0, at: performance.now() }
    xhr.upload.addEventListener('progress', ({ loaded }) => {
      last = { sent: loaded, at: performance.now() }
      onProgress?.(loaded)
    })
    // After sleep, a dead connection may not be reported for 15 minutes.
    const watch = setInterval(() => {
      const stalled = body !== undefined && last.sent < body.size && performance.now() - last.at > STALL_MS
      if (!stalled) return
      reject(new AppError('offline', {}))
      xhr.abort()
    }, STALL_MS / 6)
    xhr.addEventListener('load', () => {
      const answer = { status: xhr.status, header: (name: string) => xhr.getResponseHeader(name), text: () => xhr.responseText }
      onResponse?.(answer)
      if (xhr.status >= 400 || xhr.status === 202) reject(errorOf(xhr, body !== undefined))
      else resolve(answer)
    })
    xhr.addEventListener('error', () => reject(new AppError('offline', {})))
    xhr.addEventListener('abort', () => reject(aborted()))
    xhr.addEventListener('loadend', () => {
      clearInterval(watch)
      signal?.removeEventListener('abort', abort)
    })
    signal?.addEventListener('abort', abort)
    xhr.send(body ?? null)
  })
}

/** Abort reason for pausing: the server keeps the data. */
export const PAUSED = 'paused'

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

function aborted(): DOMException {
  return new DOMException('aborted', 'AbortError')
}

/** Proxy errors for an unreachable server; the last three are Cloudflare's. */
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504, 521, 522, 523])

/** Proxy errors about a body: too large (RFC 9110) or, from Cloudflare, too slow. */
const BODY_REFUSED: ReadonlyMap<number, AppError> = new Map<number, AppError>([
  [413, new AppError('too-large', { limit: 0 })],
  [524, new AppError('offline', {})],
])

function errorOf(xhr: XMLHttpRequest, hadBody: boolean): Error {
  try {
    const parsed: unknown = JSON.parse(xhr.responseText)
    if (typeof parsed === 'object' && parsed !== null && 'code' in parsed && 'detail' in parsed) {
      // Client and server share the list of error codes.
      return new AppError(parsed.code as ErrorCode, parsed.detail as ErrorDetails[ErrorCode])
    }
  } catch {
    // Not a response of our server.
  }
  const refused = BODY_REFUSED.get(xhr.status)
  if (refused !== undefined) return hadBody ? new BodyRefused(refused) : refused
  if (UNAVAILABLE.has(xhr.status)) return new AppError('offline', {})
  return new AppError('unexpected', { incident: String(xhr.status) })
}
