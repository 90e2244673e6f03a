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
