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

/** A request that was started before the page could render its result. */
interface Prefetch {
  readonly path: FilePath
  readonly userId: number | undefined
  /** Null if it failed; the caller then requests it again and gets the error. */
  readonly response: Promise<Rows | OpenedFile | null>
  /** The first rows of a long folder; late subscribers get them at once. */
  readonly firstRows: Promise<Rows>
}

let prefetched: Prefetch | null = null

/** Requests the content of the first page while its code and a fresh token are still loading. @param pathname of the router, without base URL */
export function prefetchFirstFolder(pathname: string): void {
  if (pathname.startsWith('/share/')) return prefetchShare(pathname)
  const place = pathFromLocation(pathname === '/' ? '/files' : pathname)
  // An expired token does no harm.
  const token = storedToken()
  if (place === null || token === null) return
  // Uses its own client: handling a 401 is up to the session, which starts at the same time.
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

/** The prefetched response, once, and only for the user who requested it; otherwise null. */
export async function takePrefetched(path: FilePath, { onFirstRows }: Pick<ReadOptions, 'onFirstRows'>): Promise<Rows | OpenedFile | null> {
  const taken = prefetched
  prefetched = null
  if (taken?.path !== path || taken.userId !== useSession.getState().user?.id) return null
  void taken.firstRows.then(onFirstRows)
  return taken.response
}

let prefetchedShare: { readonly pathname: string; readonly answer: Promise<Response> } | null = null

/** The same for share pages, whose address matches the API call; independent of the session. */
function prefetchShare(pathname: string): void {
  const headers = { accept: `${ROWS_SEQUENCE_MEDIA_TYPE}, application/json` }
  const answer = fetch(address(`/api/public${pathname}`), { headers, credentials: 'same-origin' })
  // Subscribers handle the error.
  answer.catch(() => undefined)
  prefetchedShare = { pathname, answer }
  delayIdleUntil(answer)
}

/** The prefetched response for a share, once; null for any other location. */
export function takePrefetchedShare(isMeant: (pathname: string) => boolean): Promise<Response> | null {
  const taken = prefetchedShare
  prefetchedShare = null
  return taken !== null && isMeant(taken.pathname) ? taken.answer : null
}
