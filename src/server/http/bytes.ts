import { fail } from '../../shared/errors.ts'
import { bytesOf, type Part, piecesOf } from '../../shared/file-part.ts'
import { headersOf, marked, type SendOptions, withHeader } from './file-headers.ts'
import { parseRange, type Span } from './ranges.ts'

/** An open file of a Drive, or anything else with random access. */
export interface ServedFile {
  /** Without a time there is no Last-Modified, and conditions on dates are ignored. */
  readonly stat: { readonly size: number; readonly modified: number | null }
  /** If present, the runtime sends it without copying; otherwise `parts` are used. */
  slice?(start: number, end: number): Blob
  /** The same bytes if they are few and in memory; else null. Valid until the next call; a Response has its own copy. */
  readNow?(start: number, end: number): Uint8Array<ArrayBuffer> | null
  parts?(start: number, end: number): AsyncGenerator<Part>
  stream(start: number, end: number): ReadableStream<Uint8Array>
  close(): Promise<void>
  /** Whether the runtime still holds what `slice` returned, even after the file was closed; absent if unknown. */
  isHeld?(): boolean
}

/** The body of a streamed response whose length is known. A caller that takes its parts must close it and not use the response's own body. */
export interface CountedBody {
  readonly length: number
  readonly parts: AsyncGenerator<Part>
  close(): Promise<void>
}

const counted = new WeakMap<Response, CountedBody>()

/** Null for every other response. */
export function countedBodyOf(response: Response): CountedBody | null {
  return counted.get(response) ?? null
}

const ofFiles = new WeakMap<Response, number>()

/** The length of a response's body in bytes; null if it is not known in advance. */
export function bodyBytesOf(response: Response): number | null {
  const announced = response.headers.get('content-length')
  return ofFiles.get(response) ?? (announced === null ? null : Number(announced))
}

const holders = new WeakMap<Response, () => () => void>()

/** Waits for something after the response was made; the file that it sends stays open until the handler has ended. */
export async function whileOpen<T>(response: Response, work: () => Promise<T>): Promise<T> {
  const release = holders.get(response)?.()
  try {
    return await work()
  } finally {
    release?.()
  }
}

/** Less than this is sent before anybody asks. */
const LONG_BYTES = 4 * 1024 * 1024

const sending = new WeakMap<Response, () => boolean>()

/** A function that tells whether the bytes of a file are still being sent after its handler has ended; null for other responses. */
export function sendingOf(response: Response): (() => boolean) | null {
  return sending.get(response) ?? null
}

/**
 * A file as a response: whole, in part, or not at all if the client has it (RFC 9110). Closes the file when the runtime has taken its bytes. Fails
 * with `precondition-failed` and `range-not-satisfiable`.
 */
export function sendFile(request: Request, file: ServedFile, options: SendOptions): Response {
  try {
    return answer(request, file, options)
  } catch (error) {
    void file.close()
    throw error
  }
}

function answer(request: Request, file: ServedFile, options: SendOptions): Response {
  // A script that becomes a service worker would escape its sandbox.
  if (request.headers.has('service-worker')) fail('forbidden', { right: 'service-worker' })
  const { size, modified } = file.stat
  const headers = headersOf(file, options)
  if (isUnchanged(request, { etag: options.etag, modified })) {
    void file.close()
    return marked(new Response(null, { status: 304, headers }))
  }
  if (request.method === 'HEAD') {
    void file.close()
    return new Response(null, { headers: withHeader(headers, 'content-length', String(size)) })
  }
  const range = rangeHolds(request, { etag: options.etag, modified }) ? parseRange(request.headers.get('range'), size) : 'whole'
  if (range === 'none') fail('range-not-satisfiable', { size })
  if (range === 'whole') return sendSpan(file, { start: 0, end: size }, { status: 200, headers })
  const [first, second] = range
  if (first === undefined || second !== undefined) return sendSpans(file, range, new Headers(headers))
  const part = withHeader(headers, 'content-range', `bytes ${first.start}-${first.end - 1}/${size}`)
  return sendSpan(file, first, { status: 206, headers: part })
}

/**
 * Short spans are sent from memory, which takes the runtime a third of the time of a file. It opens a file when the handler has returned, so that may
 * be closed only after that. An empty file is sent as empty text, because the runtime would answer a Range for it with 416.
 */
function sendSpan(file: ServedFile, { start, end }: Span, { status, headers }: { status: number; headers: Headers }): Response {
  if (start < end && file.parts !== undefined) return sendParts(file, file.parts(start, end), { length: end - start, status, headers })
  const bytes = start === end ? '' : (file.readNow?.(start, end) ?? null)
  const response = marked(new Response(bytes ?? file.slice?.(start, end), { status, headers }))
  ofFiles.set(response, end - start)
  if (bytes !== null) {
    void file.close()
    return response
  }
  let waiting = 0
  const closeSoon = () => setImmediate(() => void (waiting === 0 && file.close()))
  holders.set(response, () => {
    waiting += 1
    return () => {
      waiting -= 1
      closeSoon()
    }
  })
  closeSoon()
  if (file.isHeld !== undefined && end - start >= LONG_BYTES) sending.set(response, () => file.isHeld?.() === true)
  return response
}

/** Bun 1.4 drops the Content-Length of a stream; `sendCounted` sends it nevertheless (docs/decisions/007). */
function sendParts(
  file: ServedFile,
  parts: AsyncGenerator<Part>,
  { length, status, headers }: { length: number; status: number; headers: Headers },
): Response {
  const close = () => file.close()
  const prepared = withBeginning(parts)
  const counting = { status, headers: withHeader(headers, 'content-length', String(length)) }
  const response = new Response(streamOf(bytesOf(prepared.parts), { close }), counting)
  counted.set(response, { length, parts: prepared.parts, close })
  beginnings.set(response, { begin: prepared.begin, close })
  return response
}

/** Several ranges in one body. They do not overlap, so the body is at most as long as the file plus its part headers. */
function sendSpans(file: ServedFile, spans: readonly Span[], headers: Headers): Response {
  const boundary = crypto.randomUUID()
  const type = headers.get('content-type') ?? 'application/octet-stream'
  const labels = spans.map(({ start, end }, i) => {
    const range = `content-range: bytes ${start}-${end - 1}/${file.stat.size}`
    return new TextEncoder().encode(`${i === 0 ? '' : '\r\n'}--${boundary}\r\ncontent-type: ${type}\r\n${range}\r\n\r\n`)
  })
  const foot = new TextEncoder().encode(`\r\n--${boundary}--\r\n`)
  headers.set('content-type', `multipart/byteranges; boundary=${boundary}`)

  async function* parts(): AsyncGenerator<Uint8Array> {
    for (const [i, { start, end }] of spans.entries()) {
      yield labels[i] ?? foot
      for await (const chunk of file.stream(start, end)) yield chunk
    }
    yield foot
  }
  return responseOf(parts(), { close: () => file.close(), init: { status: 206, headers } })
}

interface Beginning {
  /** Produces the first bytes. Rejects if that fails. */
  readonly begin: () => Promise<void>
  readonly close: () => Promise<void>
}

const beginnings = new WeakMap<Response, Beginning>()

/**
 * The response, once its first bytes exist. A failure until then is thrown, because an error response is still possible. Otherwise the runtime would
 * close the connection within the head, which clients take for an empty response (R8). A later failure breaks off the body.
 */
export async function whenBodyStarted(response: Response): Promise<Response> {
  const beginning = beginnings.get(response)
  try {
    await beginning?.begin()
    return response
  } catch (error) {
    await beginning?.close()
    throw error
  }
}

/** The same parts, of which the first can be produced in advance. */
function withBeginning<T>(rest: AsyncGenerator<T>): { parts: AsyncGenerator<T>; begin: () => Promise<void> } {
  let first: Promise<IteratorResult<T>> | null = null
  const parts: AsyncGenerator<T> = {
    next() {
      const next = first ?? rest.next()
      first = null
      return next
    },
    return: (value) => rest.return(value),
    throw: (error) => rest.throw(error),
    [Symbol.asyncIterator]: () => parts,
    [Symbol.asyncDispose]: () => rest[Symbol.asyncDispose](),
  }
  return { parts, begin: async () => void (await (first ??= rest.next())) }
}

function responseOf(
  parts: AsyncGenerator<Uint8Array>,
  { close, onBroken, init }: Pick<ServedFile, 'close'> & { onBroken?: () => void; init: ResponseInit },
): Response {
  const prepared = withBeginning(parts)
  const response = new Response(streamOf(prepared.parts, { close, onBroken }), init)
  beginnings.set(response, { begin: prepared.begin, close })
  return response
}

const breaks = new WeakMap<Response, Promise<void>>()

/** Resolves if the body of a streamed response fails midway; undefined for every other response. */
export function bodyFailure(response: Response): Promise<void> | undefined {
  return breaks.get(response)
}

/**
 * Bytes of unknown length as a response. A failure midway must not look like a complete body; because the runtime does not always close the
 * connection, `bodyFailure` reports the failure.
 */
export function respondStreamed(
  parts: AsyncGenerator<Uint8Array>,
  { close, headers, status = 200 }: Pick<ServedFile, 'close'> & { headers: Record<string, string>; status?: number },
): Response {
  const broken = Promise.withResolvers<void>()
  const response = responseOf(parts, { close, onBroken: broken.resolve, init: { headers, status } })
  breaks.set(response, broken.promise)
  return response
}

/** The same response; `onEnd` is told whether all bytes were taken. Not for what `slice` returned, which the runtime sends by itself. */
export function watchBody(response: Response, onEnd: (end: { whole: boolean; bytes: number }) => Promise<void>): Response {
  const { body, status, headers } = response
  const known = countedBodyOf(response)
  let bytes = 0
  let whole = false
  async function* watch(): AsyncGenerator<Part> {
    for await (const part of known?.parts ?? body ?? []) {
      for (const piece of piecesOf(part)) {
        bytes += piece instanceof Uint8Array ? piece.length : piece.end - piece.start
        yield piece
      }
    }
    whole = true
  }
  let closed = false
  const close = async (): Promise<void> => {
    if (closed) return
    closed = true
    await known?.close()
    await onEnd({ whole, bytes })
  }
  const parts = watch()
  const watched = new Response(streamOf(bytesOf(parts), { close }), { status, headers })
  if (known !== null) counted.set(watched, { length: known.length, parts, close })
  const broken = breaks.get(response)
  if (broken !== undefined) breaks.set(watched, broken)
  const beginning = beginnings.get(response)
  if (beginning !== undefined) beginnings.set(watched, { begin: beginning.begin, close })
  return watched
}

/**
 * A stream that is read no faster than the client takes it, and not before. Calls `close` when it ends for whatever reason; at once when the client
 * disconnects.
 */
export function streamOf(
  parts: AsyncGenerator<Uint8Array>,
  { close, onBroken }: Pick<ServedFile, 'close'> & { onBroken?: () => void },
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await parts.next()
          if (!done) return controller.enqueue(value)
          controller.close()
        } catch (error) {
          controller.error(error)
          onBroken?.()
        }
        await close()
      },
      async cancel() {
        await close()
        await parts.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

interface Validators {
  etag: string
  modified: number | null
}

/**
 * Fails for If-Match and If-Unmodified-Since that do not hold; true if If-None-Match or If-Modified-Since find nothing new (RFC 9110 section 13.2.2).
 */
function isUnchanged({ headers }: Request, { etag, modified }: Validators): boolean {
  const match = headers.get('if-match')
  const before = dateOf(headers.get('if-unmodified-since'))
  if (match !== null && !names(match, etag, { weak: false })) fail('precondition-failed', {})
  if (match === null && before !== null && modified !== null && seconds(modified) > before) fail('precondition-failed', {})
  const noneMatch = headers.get('if-none-match')
  if (noneMatch !== null) return names(noneMatch, etag, { weak: true })
  const since = dateOf(headers.get('if-modified-since'))
  return since !== null && modified !== null && seconds(modified) <= since
}

/** If-Range: our exact strong validator, or our date if it is old enough to be strong. */
function rangeHolds({ headers }: Request, { etag, modified }: Validators): boolean {
  const validator = headers.get('if-range')?.trim()
  if (validator === undefined) return true
  if (validator.endsWith('"')) return validator === etag
  return modified !== null && dateOf(validator) === seconds(modified) && Date.now() / 1000 - seconds(modified) >= 1
}

function names(list: string, etag: string, { weak }: { weak: boolean }): boolean {
  if (list.trim() === '*') return true
  const tags = list.match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.some((tag) => (weak ? tag.replace(/^W\//, '') : tag) === etag)
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000)
}

/** Seconds since 1970; null for an invalid HTTP date, which is ignored. */
function dateOf(text: string | null): number | null {
  const asctime = /^\w{3} \w{3} [ \d]\d [\d:]{8} \d{4}$/.test(text ?? '')
  if (text === null || (!asctime && !text.endsWith(' GMT'))) return null
  const ms = Date.parse(asctime ? `${text} GMT` : text)
  return Number.isNaN(ms) ? null : seconds(ms)
}
