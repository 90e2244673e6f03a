import { fail } from '../../shared/errors.ts'
import type { ByteReader } from '../uploads/byte-reader.ts'

/** One part: its headers with names in lower case, and its content. */
export interface Part {
  readonly headers: ReadonlyMap<string, string>
  readonly content: Uint8Array<ArrayBuffer>
}

export interface PartLimits {
  readonly parts: number
  /** Of the content of one part. */
  readonly bytes: number
}

const LINE_FEED = 10
const MAX_LINE_BYTES = 16 * 1024
const MAX_HEADERS = 30

/** What separates the parts of a `multipart/related` body (RFC 2046, section 5.1.1). Fails with `invalid-input` if there is nothing of that kind. */
export function boundaryOf({ headers }: Request): string {
  const sent = headers.get('content-type') ?? ''
  const [, quoted, plain] = /^multipart\/related\s*;.*\bboundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(sent) ?? []
  return quoted ?? plain ?? fail('invalid-input', { issues: ['content-type: not multipart/related with a boundary'] })
}

/** The parts of a body, as they arrive. Each says how long it is, so that its content is not searched for the boundary. */
export async function* partsOf(body: ByteReader, boundary: string, limits: PartLimits): AsyncGenerator<Part> {
  for (let count = 0; (await lineOf(body)) === `--${boundary}`; count++) {
    if (count === limits.parts) fail('too-large', { limit: limits.parts })
    const headers = await headersOf(body)
    const length = headers.get('content-length') ?? ''
    if (!/^\d{1,12}$/.test(length)) refuse('a part does not say how long it is')
    if (Number(length) > limits.bytes) fail('too-large', { limit: limits.bytes })
    const content = Uint8Array.from(await body.take(Number(length)))
    if ((await lineOf(body)) !== '') refuse('a part is longer than it says')
    yield { headers, content }
  }
}

async function headersOf(body: ByteReader): Promise<Map<string, string>> {
  const headers = new Map<string, string>()
  for (;;) {
    const line = await lineOf(body)
    if (line === '') return headers
    const [, name = '', value = ''] = /^([\w-]+):\s*(.*?)\s*$/.exec(line) ?? []
    if (name === '' || headers.size === MAX_HEADERS) refuse('headers of a part')
    headers.set(name.toLowerCase(), value)
  }
}

async function lineOf(body: ByteReader): Promise<string> {
  const line = await body.until(LINE_FEED, { limit: MAX_LINE_BYTES })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(line).replace(/\r$/, '')
  } catch {
    return refuse('not UTF-8')
  }
}

function refuse(issue: string): never {
  return fail('invalid-input', { issues: [`body: ${issue}`] })
}
