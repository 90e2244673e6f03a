import { createHash } from 'node:crypto'
import { fail } from '../../shared/errors.ts'
import { etagOf } from '../drive/etag.ts'
import type { Dialect } from '../dav/dav-call.ts'
import { fileIdOf } from './file-id.ts'

/** Names of hashes in the protocol, and in the runtime. Others are ignored, as by other servers. */
const ALGORITHMS: Readonly<Record<string, string>> = { SHA1: 'sha1', SHA256: 'sha256', MD5: 'md5' }
const MAX_SECONDS = 8.64e12

/** `X-OC-Mtime`: seconds since 1970; in milliseconds here. */
export function modifiedOf({ headers }: Request): number | undefined {
  const sent = headers.get('x-oc-mtime')?.trim() ?? ''
  return /^\d{1,13}$/.test(sent) && Number(sent) <= MAX_SECONDS ? Number(sent) * 1000 : undefined
}

/** The checksum that a client says; null if it says none, or one of a kind that is not known. */
export function sumIn(headers: Headers): { kind: string; sum: string } | null {
  const [, kind = '', sum = ''] = /^([A-Z0-9]+):([0-9a-f]+)$/i.exec(headers.get('oc-checksum')?.trim() ?? '') ?? []
  return Object.hasOwn(ALGORITHMS, kind.toUpperCase()) ? { kind: kind.toUpperCase(), sum: sum.toLowerCase() } : null
}

/** Fails with `invalid-input` at the end of a body that is not what `OC-Checksum` says, so that nothing is published. */
export function checked({ headers }: Request, body: ReadableStream<Uint8Array> | null): ReadableStream<Uint8Array> | null {
  const sent = sumIn(headers)
  if (sent === null) return body
  const { sum } = sent
  const hash = createHash(ALGORITHMS[sent.kind] ?? '')
  const expectSum = (): void => {
    if (hash.digest('hex') !== sum) fail('invalid-input', { issues: ['body: its checksum is another one'] })
  }
  if (body === null) {
    expectSum()
    return null
  }
  const hashing = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      hash.update(chunk)
      controller.enqueue(chunk)
    },
    flush: expectSum,
  })
  return body.pipeThrough(hashing)
}

/** What clients need to know of a file that they have stored. */
export const storedHeaders: Dialect['storedHeaders'] = (stat, request) => ({
  'oc-etag': etagOf(stat),
  // Where the disk knows no identity, the path would stand for it, which is not known here.
  ...(stat.identity !== '' && { 'oc-fileid': fileIdOf({ identity: stat.identity, path: '' }) }),
  ...(modifiedOf(request) !== undefined && { 'x-oc-mtime': 'accepted' }),
})
