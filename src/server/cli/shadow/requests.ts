import { orElse } from '../../../shared/errors.ts'
import { isRecord, recordOr } from '../records.ts'

/** A request that somebody made. */
export interface SeenRequest {
  readonly method: string
  /** Path and query, as sent. */
  readonly target: string
  /** The Range header; null if there was none, or if it is unknown. */
  readonly range: string | null
}

/** A request that both servers may be asked, below their base URLs. */
export interface Question {
  readonly method: 'GET' | 'HEAD'
  readonly target: string
  readonly range: string | null
  /** The call, as the report names it. */
  readonly call: string
  readonly isPublic: boolean
  /** Whether the bodies can be the same: pictures are scaled, and archives packed, in another way. */
  readonly comparesBodies: boolean
}

/** Why a request is not compared. */
export type Skipped = 'changes something' | 'not a call that reads' | 'another base URL'

/** Calls that only read. Others are never sent: of some, the old server does not look at the method. */
const READING = /^\/api\/(resources|raw|preview|subtitle|search|usage|shares|share|users|settings|public\/share|public\/dl)(\/|\?|$)/

/** One line of an access log: the format of Apache and nginx, or JSON of Caddy, Traefik or Satchel. Null for any other line. */
export function readLogLine(line: string): SeenRequest | null {
  const plain = /"([A-Z]+) (\/\S*) HTTP\/[\d.]+"/.exec(line)
  if (plain !== null) return { method: plain[1] ?? '', target: plain[2] ?? '', range: null }
  if (!line.startsWith('{')) return null
  const record = parsedLine(line)
  const request = recordOr(record.request)
  const method = request.method ?? record.RequestMethod ?? record.method
  const target = request.uri ?? record.RequestPath ?? record.path
  return typeof method === 'string' && typeof target === 'string' && target.startsWith('/') ? { method, target, range: null } : null
}

/** @param base of the old server, without slash at the end */
export function questionOf({ method, target, range }: SeenRequest, base: string): Question | Skipped {
  if (method !== 'GET' && method !== 'HEAD') return 'changes something'
  if (!target.startsWith(`${base}/`)) return 'another base URL'
  const inside = asSent(target.slice(base.length))
  const call = READING.exec(inside)?.[1]
  if (call === undefined) return 'not a call that reads'
  const isArchive = /[?&](algo|files)=/.test(inside) || /\/(\?|$)/.test(inside)
  return {
    method,
    target: withoutCredentials(inside),
    range,
    call: `/api/${call}`,
    isPublic: call.startsWith('public/'),
    comparesBodies: call !== 'preview' && !((call === 'raw' || call === 'public/dl') && isArchive),
  }
}

/**
 * Path and query as they would be sent: without what leads up, in whatever spelling, because the kind of call is told by the beginning of the path, and
 * with names of parameters that can be read.
 */
function asSent(target: string): string {
  const { pathname, search } = new URL(`http://old${target}`)
  return pathname + search.replace(/(?<=[?&])[^&=]+(?==)/g, (name) => (/^(auth|token)$/i.test(decoded(name)) ? decoded(name) : name))
}

function decoded(name: string): string {
  return orElse(name, () => decodeURIComponent(name))
}

/** As a report may show it: what opens a link without its password is hidden. */
export function shownTarget(target: string): string {
  return target.replace(/([?&]token=)[^&]+/g, '$1…')
}

/** A session of a person in the address belongs to them: it is neither sent nor shown. */
function withoutCredentials(target: string): string {
  const [path = '', query] = target.split('?', 2)
  const kept = (query ?? '').split('&').filter((one) => one !== '' && !/^auth=/i.test(one))
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`
}

function parsedLine(line: string): Readonly<Record<string, unknown>> {
  try {
    const record: unknown = JSON.parse(line)
    return isRecord(record) ? record : {}
  } catch {
    return {}
  }
}
