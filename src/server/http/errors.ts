import { AppError, type ErrorCode } from '../../shared/errors.ts'

export const STATUS = {
  'invalid-input': 400,
  'secret-needed': 400,
  'sign-in-needed': 401,
  'invalid-token': 401,
  'share-password-needed': 401,
  'share-not-yet': 403,
  'wrong-credentials': 403,
  'directory-refused': 403,
  'directory-away': 503,
  forbidden: 403,
  'own-password-needed': 403,
  'access-changed': 403,
  'proof-needed': 403,
  'second-factor-needed': 403,
  'second-factor-setup-needed': 403,
  'wrong-code': 403,
  'read-only': 403,
  'download-refused': 202,
  'not-found': 404,
  'method-not-allowed': 405,
  'already-exists': 409,
  'name-taken': 409,
  'own-password-chosen': 409,
  'too-many-favourites': 409,
  'wrong-offset': 409,
  'precondition-failed': 412,
  'too-large': 413,
  'unsupported-media-type': 415,
  'range-not-satisfiable': 416,
  'archive-refused': 422,
  busy: 423,
  locked: 423,
  'too-many-requests': 429,
  'hook-failed': 500,
  unexpected: 500,
  'not-previewable': 501,
  'storage-full': 507,
  'quota-exceeded': 507,
  'storage-busy': 503,
  offline: 503,
} satisfies Record<ErrorCode, number>

const REASON: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Request Entity Too Large',
  415: 'Unsupported Media Type',
  416: 'Requested Range Not Satisfiable',
  422: 'Unprocessable Content',
  423: 'Locked',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
}

/** A status as the predecessor's clients read it: `409 Conflict`. */
export function statusResponse(status: number, headers?: Record<string, string>): Response {
  return new Response(`${status} ${REASON[status] ?? ''}\n`, { status, headers: withText(headers) })
}

/** For a server that is reached, but cannot reach its database. */
const RETRY_AFTER_SECONDS = 5

/** The one place where an error becomes HTTP: JSON if the client accepts it, otherwise the predecessor's text. */
export function errorResponse(error: AppError, accept: string): Response {
  const status = STATUS[error.code]
  const headers = new Headers(extraHeaders(error))
  if (accept.includes('application/json')) {
    headers.set('content-type', 'application/json; charset=utf-8')
    return new Response(JSON.stringify({ code: error.code, detail: error.detail }), { status, headers })
  }
  const explanation = explain(error)
  return new Response(`${status} ${REASON[status] ?? ''}${explanation === '' ? '' : ` (${explanation})`}\n`, {
    status,
    headers: withText(headers),
  })
}

/**
 * An error that is not ours becomes an incident: a number for the client, the stack for the log. A client that disconnected or stalled is not an
 * incident.
 */
export function incidentFrom(error: unknown, log: (line: string) => void): AppError {
  if (error instanceof AppError) return error
  if (error instanceof DOMException && (error.name === 'AbortError' || error.name === 'TimeoutError')) {
    return new AppError('offline', {}, { cause: error })
  }
  const incident = crypto.randomUUID().slice(0, 8)
  log(`incident ${incident}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return new AppError('unexpected', { incident }, { cause: error })
}

/** What the reader of the text can do about it; empty if the status says everything. */
function explain({ code, detail }: AppError): string {
  if (code === 'invalid-input' && 'issues' in detail) return detail.issues.join('; ')
  if (code === 'proof-needed') return PROOF_NEEDED
  if (code === 'secret-needed') return SECRET_NEEDED
  if (code === 'second-factor-needed') return SECOND_NEEDED
  if (code === 'second-factor-setup-needed') return SETUP_NEEDED
  if (code === 'invalid-token') return INVALID_TOKEN
  if (code === 'forbidden' && 'right' in detail && detail.right === 'token') return NOT_BY_TOKEN
  if (code === 'own-password-needed') return OWN_PASSWORD_NEEDED
  if (code === 'own-password-chosen') return OWN_PASSWORD_CHOSEN
  if (code === 'quota-exceeded') return QUOTA_EXCEEDED
  if (code === 'directory-away') return DIRECTORY_AWAY
  if (code === 'directory-refused') return DIRECTORY_REFUSED
  if (code === 'locked') return LOCKED
  return code === 'forbidden' && 'right' in detail && detail.right === 'origin' ? FOREIGN_ORIGIN : ''
}

const LOCKED = 'a program that is connected by WebDAV has locked it'
const DIRECTORY_AWAY = 'accounts of the directory cannot be checked at the moment; try again later'
const DIRECTORY_REFUSED = 'the directory accepts the password, but there is no account for it here; ask an administrator'
const QUOTA_EXCEEDED = 'the quota is used up'
const FOREIGN_ORIGIN =
  'the request came from a page of another origin; behind a proxy, pass on the Host header or start the server with --publicAddress'
const SECOND_NEEDED =
  'this account has a second factor, which this client cannot ask for: sign in with a browser, or use an API token in place of the password'
const SETUP_NEEDED = 'this account must have a second factor: sign in with a browser and set one up'
const SECRET_NEEDED = 'the stored secret would be sent to another address: send it again, or an empty one to remove it'
const PROOF_NEEDED =
  'this change needs a recent proof of who you are: sign in again within five minutes before it, or send your own password as current_password in the body; with a second factor, prove it by POST /api/proof'

const INVALID_TOKEN = 'this API token is unknown, has ended or was revoked'
const NOT_BY_TOKEN =
  'an API token cannot do this: some calls need a sign-in, and some need a token for the whole tree instead of one folder'

const OWN_PASSWORD_NEEDED =
  'the password of this account is the one that the first start printed: sign in with a browser and choose your own, or set one with "satchel users update"'

const OWN_PASSWORD_CHOSEN = 'the printed password has been replaced already, and the password chosen then is kept'

function extraHeaders({ code, detail }: AppError): Record<string, string> {
  if (code === 'method-not-allowed' && 'allow' in detail) return { allow: detail.allow.join(', ') }
  // RFC 6750, section 3. Never `Basic`: browsers would ask for a password, and then send it with requests of other pages.
  if (code === 'invalid-token') return { 'www-authenticate': 'Bearer realm="Satchel", error="invalid_token"' }
  if (code === 'offline') return { 'retry-after': String(RETRY_AFTER_SECONDS) }
  if ('retryAfterSeconds' in detail) return { 'retry-after': String(detail.retryAfterSeconds) }
  if (code === 'range-not-satisfiable' && 'size' in detail) return { 'content-range': `bytes */${detail.size}` }
  if (code === 'wrong-offset' && 'offset' in detail) return { 'Upload-Offset': String(detail.offset) }
  return {}
}

function withText(headers?: Headers | Record<string, string>): Headers {
  const all = new Headers(headers)
  all.set('content-type', 'text/plain; charset=utf-8')
  return all
}
