import { createClient } from '../../shared/contract/client.ts'
import { resources, type Rows, ROWS_SEQUENCE_MEDIA_TYPE } from '../../shared/contract/resources.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { address } from './client.ts'
import type { OpenedFile } from './listing.ts'
import { pathFromLocation } from './paths.ts'
import { type ReadOptions, readRows } from './rows.ts'
import { storedToken, useSession } from './session.ts'
import { userFromToken } from './token.ts'
import { holdIdle } from './when-idle.ts'

/** What somebody asked for before anybody could show it. */
interface Early {
  readonly path: FilePath
  readonly userId: number | undefined
  /** Null where it did not come: whoever wants it asks again, and hears why. */
  readonly answer: Promise<Rows | OpenedFile | null>
  /** The beginning of a long folder, as soon as it is there; whoever asks for it late hears at once. */
  readonly beginning: Promise<Rows>
}

let early: Early | null = null

/**
 * Asks for what the page will show first while its code and a fresh token are still on their way.
 * @param pathname the router's, without base URL
 */
export function askEarly(pathname: string): void {
  if (pathname.startsWith('/share/')) return askVisitEarly(pathname)
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
  let answer: Early['answer'] = Promise.resolve(null)
  const beginning = new Promise<Rows>((onBeginning) => {
    answer = readRows(client, place.path, { onBeginning }).catch(() => null)
  })
  early = { path: place.path, userId: userFromToken(token)?.id, answer, beginning }
  holdIdle(Promise.race([beginning, answer]))
}

/** What was asked for early, once, and for nobody but who asked; null for anything else. */
export async function takeEarly(path: FilePath, { onBeginning }: Pick<ReadOptions, 'onBeginning'>): Promise<Rows | OpenedFile | null> {
  const taken = early
  early = null
  if (taken?.path !== path || taken.userId !== useSession.getState().user?.id) return null
  void taken.beginning.then(onBeginning)
  return taken.answer
}

let visit: { readonly pathname: string; readonly answer: Promise<Response> } | null = null

/** The same for what lies behind a link, whose page speaks of the same place as its call: the session, if there is one, has nothing to do with it. */
function askVisitEarly(pathname: string): void {
  const headers = { accept: `${ROWS_SEQUENCE_MEDIA_TYPE}, application/json` }
  const answer = fetch(address(`/api/public${pathname}`), { headers, credentials: 'same-origin' })
  // Subscribers are notified.
  answer.catch(() => undefined)
  visit = { pathname, answer }
  holdIdle(answer)
}

/** What was asked for early about a place behind a link, once; null for any other place. */
export function takeVisitEarly(isMeant: (pathname: string) => boolean): Promise<Response> | null {
  const taken = visit
  visit = null
  return taken !== null && isMeant(taken.pathname) ? taken.answer : null
}
