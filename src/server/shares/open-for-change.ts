import { ticketsIn } from './ticket-cookie.ts'
import type { OpenVisit, Proof, Visit } from './visit.ts'

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
  try {
    return decodeURIComponent(header)
  } catch {
    return header
  }
}
