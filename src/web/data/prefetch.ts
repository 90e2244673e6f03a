import { createClient } from '../../shared/contract/client.ts'
import { resources, type Rows, ROWS_SEQUENCE_MEDIA_TYPE } from '../../shared/contract/resources.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { address } from './client.ts'
import type { OpenedFile } from './listing.ts'
import { pathFromLocation } from './paths.ts'
import { type ReadOptions, readRows } from './rows.ts'
import { storedToken, useSession } from './session.ts'
import { userFromToken } from './token.ts'
import { delayIdleUntil } from './when-idle.ts'

/** What somebody asked for before anybody could show it. */
interface Prefetch {
  readonly path: FilePath
  readonly userId: number | undefined
  /** Null where it did not come: whoever wants it asks again, and hears why. */
  readonly response: Promise<Rows | OpenedFile | null>
  /** The beginning of a long folder, as soon as it is there; whoever asks for it late hears at once. */
  readonly firstRows: Promise<Rows>
}

let prefetched: Prefetch | null = null

/**
 * Asks for what the page will show first while its code and a fresh token are still on their way.
 * @param pathname the router's, without base URL
 */
export function prefetchFirstFolder(pathname: string): void {
  if (pathname.startsWith('/share/')) return prefetchShare(pathname)
  const place = pathFromLocation(pathname === '/' ? '/files' : pathname)
  // A worn one spoils nothing.
  const token = storedToken()
  if (place === null || token === null) return
  // By itself: what a refusal means is for the session to find out, which begins at this very moment.
  const client = createClient({ resources }, (path, init) => {
    const headers = new Headers(init.headers)
    headers.set('x-auth', token)
    return fetch(address(path), { ...init, headers, credentials: 'same-origin' })
  })
  let response: Prefetch['response'] = Promise.resolve(null)
  const firstRows = new Promise<Rows>((onFirstRows) => {
    response = readRows(client, place.path, { onFirstRows }).catch(() => null)
  })
  prefetched = { path: place.path, userId: userFromToken(token)?.id, response, firstRows }
  delayIdleUntil(Promise.race([firstRows, response]))
}

/** What was asked for early, once, and for nobody but who asked; null for anything else. */
export async function takePrefetched(path: FilePath, { onFirstRows }: Pick<ReadOptions, 'onFirstRows'>): Promise<Rows | OpenedFile | null> {
  const taken = prefetched
  prefetched = null
  if (taken?.path !== path || taken.userId !== useSession.getState().user?.id) return null
  void taken.firstRows.then(onFirstRows)
  return taken.response
}

let prefetchedShare: { readonly pathname: string; readonly answer: Promise<Response> } | null = null

/** The same for what lies behind a link, whose page speaks of the same place as its call: the session, if there is one, has nothing to do with it. */
function prefetchShare(pathname: string): void {
  const headers = { accept: `${ROWS_SEQUENCE_MEDIA_TYPE}, application/json` }
  const answer = fetch(address(`/api/public${pathname}`), { headers, credentials: 'same-origin' })
  // Subscribers are notified.
  answer.catch(() => undefined)
  prefetchedShare = { pathname, answer }
  delayIdleUntil(answer)
}

/** What was asked for early about a place behind a link, once; null for any other place. */
export function takePrefetchedShare(isMeant: (pathname: string) => boolean): Promise<Response> | null {
  const taken = prefetchedShare
  prefetchedShare = null
  return taken !== null && isMeant(taken.pathname) ? taken.answer : null
}
