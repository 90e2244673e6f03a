const TICKET = /^[A-Za-z0-9_-]{43}$/

/** At most so many are looked at, whatever a client sends. */
const MAX_TICKETS = 4

/**
 * The tickets a visitor brings for one link: `given` in the address, as old clients do, or in a header, and those in the cookie of our own web. The
 * cookie is sent to the public calls only; it does not count where something is changed, nor where a page of another origin asks.
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

/** Ends with the browser; the server's row decides how long it is good. */
export function openTicketCookie(ticket: string, { hash, baseUrl, secure }: { hash: string; baseUrl: string; secure: boolean }): string {
  return `${cookieName(hash)}=${ticket}; Path=${baseUrl}/api/public; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

/** Hashes are of letters that a cookie's name may have. */
function cookieName(hash: string): string {
  return `satchel-share-${hash}`
}
