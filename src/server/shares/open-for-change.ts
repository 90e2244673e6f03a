import type { OpenVisit, Proof, Visit } from './visit.ts'
import { orElse } from '../../shared/errors.ts'

/** Opens a link for a change: cookies do not count. */
export async function openForChange(
  visit: OpenVisit,
  { params, headers, request, peer }: ChangeCall,
  options: Pick<Proof, 'mayFinish'> = {},
): Promise<Visit> {
  return visit(params.hash, {
    password: readPassword(headers['x-share-password']),
    tickets: (hash) => ticketsIn(request, { hash, given: headers['x-share-ticket'], cookies: false }),
    address: peer,
    ...options,
  })
}

export interface ChangeCall {
  readonly params: { hash: string }
  readonly headers: { 'x-share-password'?: string | undefined; 'x-share-ticket'?: string | undefined }
  readonly request: Request
  readonly peer: string | null
}

/** Percent-encoded, as our web application and 2.63 send it; otherwise taken as it is, as 2.17 sends it. */
export function readPassword(header: string | undefined): string | null {
  if (header === undefined || header === '') return null
  return orElse(header, () => decodeURIComponent(header))
}

/** Ours have 43 characters, those of moved links 32 to 128. */
const TICKET = /^[A-Za-z0-9_.=-]{32,128}$/

/** More tickets in one request are ignored. */
const MAX_TICKETS = 4

/**
 * A visitor's tickets for one link: `given` in the address, as old clients do, or in a header, and those in the cookie of our own web application.
 * The cookie is sent to public calls only; it does not count for changes, nor for requests from pages of other origins.
 */
export function ticketsIn(
  request: Request,
  { hash, given, cookies }: { hash: string; given: string | undefined; cookies: boolean },
): string[] {
  const wanted = `${cookieName(hash)}=`
  const held = cookies ? (request.headers.get('cookie') ?? '').split(';').map((cookie) => cookie.trim()) : []
  const tickets = held.filter((cookie) => cookie.startsWith(wanted)).map((cookie) => cookie.slice(wanted.length))
  return [...(given === undefined ? [] : [given]), ...tickets].filter((ticket) => TICKET.test(ticket)).slice(0, MAX_TICKETS)
}

/** A session cookie; the server decides how long the ticket is valid. */
export function openTicketCookie(ticket: string, { hash, baseUrl, secure }: { hash: string; baseUrl: string; secure: boolean }): string {
  return `${cookieName(hash)}=${ticket}; Path=${baseUrl}/api/public; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

/** Hashes consist of characters that a cookie's name may have. */
function cookieName(hash: string): string {
  return `satchel-share-${hash}`
}
