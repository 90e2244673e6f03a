import { AppError, type ErrorCode, type ErrorDetails } from '../../../shared/errors.ts'
import { BodyRefused } from './body-limit.ts'

export interface Outgoing {
  readonly method: 'POST' | 'PATCH' | 'HEAD' | 'DELETE'
  readonly address: string
  readonly headers: Record<string, string>
  readonly body?: Blob
  readonly signal?: AbortSignal
  /** Bytes of this body that have left so far. */
  readonly onProgress?: (sent: number) => void
  /** Hears every answer, also one that becomes a failure. */
  readonly onResponse?: (answer: Incoming) => void
}

export interface Incoming {
  readonly status: number
  header(name: string): string | null
  /** The body. */
  text(): string
}

/** A request that sends nothing for this long has lost its line. */
const STALL_MS = 60_000

/**
 * A request with upload progress, which fetch cannot report. Fails with the server's AppError, with `offline` when there was no answer, with
 * BodyRefused when a proxy found the body too large, and with an AbortError when the signal said so.
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
    // A line that died while the laptop slept may say nothing for a quarter of an hour.
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

/** The reason of a signal that stops an upload to go on later; what the server has of it is kept. */
export const PAUSED = 'paused'

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

function aborted(): DOMException {
  return new DOMException('aborted', 'AbortError')
}

/** What a proxy says when the server behind it does not answer; the last ones are Cloudflare's. */
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504, 521, 522, 523])

/** What a proxy says about a body: that it is too large (RFC 9110), or, as Cloudflare, that the server took too long with it. */
const BODY_REFUSED: ReadonlyMap<number, AppError> = new Map<number, AppError>([
  [413, new AppError('too-large', { limit: 0 })],
  [524, new AppError('offline', {})],
])

function errorOf(xhr: XMLHttpRequest, hadBody: boolean): Error {
  try {
    const parsed: unknown = JSON.parse(xhr.responseText)
    if (typeof parsed === 'object' && parsed !== null && 'code' in parsed && 'detail' in parsed) {
      // The server's code list and ours are the same file.
      return new AppError(parsed.code as ErrorCode, parsed.detail as ErrorDetails[ErrorCode])
    }
  } catch {
    // Not our server's words.
  }
  const refused = BODY_REFUSED.get(xhr.status)
  if (refused !== undefined) return hadBody ? new BodyRefused(refused) : refused
  if (UNAVAILABLE.has(xhr.status)) return new AppError('offline', {})
  return new AppError('unexpected', { incident: String(xhr.status) })
}
