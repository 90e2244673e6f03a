import { fail } from '../../shared/errors.ts'
import { hashOf, newSecret } from '../db/secret.ts'
import { watchBody } from '../http/bytes.ts'
import type { Quota } from './quota.ts'
import type { Visit } from './visit.ts'

/** Bytes that may be given back for a download of unknown length, before it counts. */
const UNKNOWN_BYTES = 16 * 1024 * 1024

/**
 * A download through a limited link, counted before the first byte is sent: one ticket and ETag are one download, a response without ETag counts by
 * itself. Fails with `not-found` if none is left. A download that the client breaks off is given back.
 */
export async function respondCounted(
  { quota, clock }: { quota: Quota; clock: () => Date },
  { share, ticket }: Visit,
  { request, response }: { request: Request; response: Response },
): Promise<Response> {
  if (request.method !== 'GET' || (response.status !== 200 && response.status !== 206)) return response
  const etag = response.headers.get('etag')
  const key = `${hashOf(ticket ?? newSecret())}-${hashOf(etag ?? newSecret())}`
  if (!(await quota.begin(share, key, clock()))) {
    await response.body?.cancel()
    return fail('not-found', {})
  }
  const size = sizeOf(response)
  return watchBody(response, ({ whole, bytes }) => quota.end(share, key, { whole, bytes, size }))
}

/** Of the whole file or archive, also if only a part of it is sent. */
function sizeOf({ headers }: Response): number {
  const whole = headers.get('content-range')?.split('/')[1] ?? headers.get('content-length')
  return whole === undefined || whole === null || !/^\d+$/.test(whole) ? UNKNOWN_BYTES : Number(whole)
}
