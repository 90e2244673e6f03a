import { fail } from '../../shared/errors.ts'
import { ticketsIn } from './ticket-cookie.ts'
import type { OpenVisit, Visit } from './visit.ts'

/** The door for whoever wants to change something: a cookie does not open it, and a link that is used up is closed. */
export async function enterToChange(visit: OpenVisit, { params, headers, request, peer }: ChangeCall): Promise<Visit> {
  const entered = await visit(params.hash, {
    password: readPassword(headers['x-share-password']),
    tickets: (hash) => ticketsIn(request, { hash, given: headers['x-share-ticket'], cookies: false }),
    address: peer,
  })
  needLeft(entered)
  return entered
}

export interface ChangeCall {
  readonly params: { hash: string }
  readonly headers: { 'x-share-password'?: string | undefined; 'x-share-ticket'?: string | undefined }
  readonly request: Request
  readonly peer: string | null
}

/** All that could be taken was taken. */
export function needLeft({ share }: Visit): void {
  if (share.maxDownloads !== 0 && share.downloads >= share.maxDownloads) fail('share-used-up', {})
}

/** As our web and 2.63 send it, percent-encoded; what is not is taken as it is, as 2.17 sends it. */
export function readPassword(header: string | undefined): string | null {
  if (header === undefined || header === '') return null
  try {
    return decodeURIComponent(header)
  } catch {
    return header
  }
}
