import { type AppError, isAppError } from '../../shared/errors.ts'
import { errorResponse, statusResponse } from '../http/errors.ts'
import { CHALLENGE } from './credentials.ts'
import type { DavCall } from './dav-call.ts'
import { hrefElement } from './lock.ts'
import { conditionResponse } from './multistatus.ts'

export const METHODS = 'OPTIONS, GET, HEAD, PUT, DELETE, MKCOL, COPY, MOVE, PROPFIND, PROPPATCH, LOCK, UNLOCK'

/** An error as programs that speak WebDAV expect it. @param call null if the request did not get so far */
export function davErrorResponse(error: AppError, call: DavCall | null): Response {
  const { code } = error
  if (code === 'sign-in-needed' || code === 'wrong-credentials' || code === 'invalid-token')
    return statusResponse(401, { 'www-authenticate': CHALLENGE })
  // Elsewhere 202, as the predecessor's clients expect.
  if (code === 'download-refused') return statusResponse(403)
  if (code === 'method-not-allowed') return statusResponse(405, { allow: METHODS })
  // The disk's word for a lock is for others, too.
  if (code === 'locked' && call !== null) return conditionResponse(423, 'lock-token-submitted', hrefElement(call, call.path))
  if (code === 'quota-exceeded') return conditionResponse(507, 'quota-not-exceeded')
  if (code === 'storage-full') return conditionResponse(507, 'sufficient-disk-space')
  // The name was free a moment ago.
  if (isAppError(error, 'already-exists') && call?.request.headers.has('if-none-match') === true && error.detail.path === call.path)
    return statusResponse(412)
  return errorResponse(error, '')
}
