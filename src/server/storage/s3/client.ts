import { randomInt } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import { S3Failure, S3Silence } from './failures.ts'
import { encodeKey } from './keys.ts'
import type { S3Limits, S3Options } from './options.ts'
import { textIn } from './xml.ts'

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Empty for the bucket itself. */
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer> | string
  readonly signal?: AbortSignal | undefined
  /** Bytes that the service has to copy before it answers. */
  readonly copies?: number
}

export interface S3Answer {
  readonly headers: Headers
  readonly text: string
  /** Whether an attempt before may have done the work without our hearing of it. */
  readonly isRepeated: boolean
}

export interface S3Client {
  /** Fails with `S3Failure` or `S3Silence` after the last attempt; a failure that no repetition mends is thrown at once. */
  send(request: S3Request): Promise<S3Answer>
  /** The same, with a body that is read as it comes. The caller limits the time of that. */
  open(request: S3Request): Promise<Response>
  /** An address by which anybody can read an object until it ends. */
  signedUrl(key: string, options: { readonly seconds: number; readonly query?: Readonly<Record<string, string>> }): Promise<string>
}

/** Failures that may pass. 409 is what some services say of two conditional requests at the same time. */
const PASSING = new Set([408, 409, 429, 500, 502, 503, 504])
const PASSING_CODES = new Set(['RequestTimeout', 'SlowDown', 'OperationAborted', 'ConditionalRequestConflict'])
const MOST_WAIT_MS = 10_000
/** The slowest line on which a part is still sent. */
const BYTES_PER_MS = 32
/** What an operator has to mend; said once each. */
const TO_MEND = new Set([
  'NoSuchBucket',
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'RequestTimeTooSkewed',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'AccessDenied',
])

/** Signs requests (AWS signature version 4), limits their time, and repeats those that fail in passing, each time after a longer wait. */
export function createS3Client(options: S3Options, limits: S3Limits): S3Client {
  const { credentials, region, bucket, pathStyle = true, log = () => undefined } = options
  const base = new URL(options.endpoint)
  const derivedKeys = new Map<string, ArrayBuffer>()
  const said = new Set<string>()

  function addressOf(key: string, query: Readonly<Record<string, string>> = {}): URL {
    const url = new URL(base)
    if (!pathStyle) url.host = `${bucket}.${base.host}`
    url.pathname = `${base.pathname.replace(/\/$/, '')}${pathStyle ? `/${bucket}` : ''}/${encodeKey(key)}`
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url
  }

  const signing = { ...credentials, region, service: 's3', cache: derivedKeys }

  /** One attempt, with what `read` takes from its answer; both within the time. */
  async function attempt<T>(request: S3Request, read: (response: Response) => Promise<T>): Promise<T> {
    const { method, key, query, headers, body, signal, copies = 0 } = request
    const signed = await new AwsV4Signer({ ...signing, method, url: addressOf(key, query).href, headers: { ...headers } }).sign()
    const timer = new AbortController()
    const time = setTimeout(() => timer.abort(new Error('too slow')), limits.timeoutMs + ((body?.length ?? 0) + copies) / BYTES_PER_MS)
    try {
      const response = await fetch(signed.url, {
        method,
        headers: signed.headers,
        redirect: 'manual',
        // The bytes as they are stored, also of an object that names an encoding.
        decompress: false,
        signal: signal === undefined ? timer.signal : AbortSignal.any([timer.signal, signal]),
        ...(body !== undefined && { body }),
      })
      if (!response.ok) throw failureOf(response, await response.text(), method)
      return await read(response)
    } catch (error) {
      if (error instanceof S3Failure) throw error
      signal?.throwIfAborted()
      throw new S3Silence(method, error)
    } finally {
      clearTimeout(time)
    }
  }

  function failureOf({ status, headers }: { status: number; headers: Headers }, text: string, method: string): S3Failure {
    const code = textIn(text, 'Code') ?? ''
    if (TO_MEND.has(code) && !said.has(code)) {
      said.add(code)
      log(`S3: the bucket ${bucket} at ${base.host} answers ${code}`)
    }
    const after = Number(headers.get('retry-after') ?? 0)
    return new S3Failure({ status, code, waitMs: Number.isFinite(after) ? after * 1000 : 0 }, method)
  }

  async function repeating<T>(request: S3Request, read: (response: Response) => Promise<T>): Promise<{ answer: T; isRepeated: boolean }> {
    for (let count = 1; ; count++) {
      try {
        return { answer: await attempt(request, read), isRepeated: count > 1 }
      } catch (error) {
        if (!(error instanceof S3Failure || error instanceof S3Silence)) throw error
        error.isRepeated = count > 1
        if (!isPassing(error) || count >= limits.attempts) throw error
        const grown = limits.backoffMs * 2 ** (count - 1) * (0.5 + randomInt(1000) / 1000)
        await Bun.sleep(Math.min(MOST_WAIT_MS, Math.max(error.waitMs, grown)))
        request.signal?.throwIfAborted()
      }
    }
  }

  async function send(request: S3Request): Promise<S3Answer> {
    const { answer, isRepeated } = await repeating(request, async (response) => {
      const text = await response.text()
      // Work that takes long is answered before its end, and what became of it is in the body.
      if (text.includes('<Error>')) throw failureOf({ status: 500, headers: response.headers }, text, request.method)
      return { headers: response.headers, text }
    })
    return { ...answer, isRepeated }
  }

  return {
    send,
    open: async (request) => (await repeating(request, async (response) => response)).answer,
    async signedUrl(key, { seconds, query = {} }) {
      const url = addressOf(key, { ...query, 'X-Amz-Expires': String(seconds) })
      const signed = await new AwsV4Signer({ ...signing, method: 'GET', url: url.href, signQuery: true }).sign()
      return signed.url.href
    },
  }
}

function isPassing(error: S3Failure | S3Silence): boolean {
  return error instanceof S3Silence || PASSING.has(error.status) || PASSING_CODES.has(error.code)
}
