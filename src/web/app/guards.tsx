import { type RefObject, useEffect } from 'react'
import { Navigate, Outlet, useLocation, useSearchParams } from '../router/router.tsx'
import { safeRedirect } from '../data/paths.ts'
import { isSettled, LOGOUT_URL, useSession } from '../data/session.ts'
import { useDocumentTitle } from './title.ts'

/** Sends signed-out visitors, also after a session has expired, to the sign-in page, which brings them back here. */
export function RequireUser() {
  const signedIn = useSession((state) => state.user !== null)
  const { pathname, search, hash } = useLocation()
  const left = useSession((state) => state.ended === 'signed-out')
  const settled = useSession(isSettled)
  const here = encodeURIComponent(pathname + search + hash)
  if (signedIn) return settled ? <Outlet /> : <Navigate to={`/welcome?redirect=${here}`} replace />
  // After an explicit sign-out, do not come back here.
  if (left && LOGOUT_URL !== null) return null
  if (left) return <Navigate to="/login" replace />
  return <Navigate to={`/login?redirect=${here}`} replace />
}

/** Guards the welcome, which is there until it has been left. */
export function RequireWelcome() {
  useDocumentTitle()
  const signedIn = useSession((state) => state.user !== null)
  const settled = useSession(isSettled)
  const query = useSearchParams()
  if (!signedIn) return <Navigate to="/login" replace />
  return settled ? <Navigate to={safeRedirect(query.get('redirect'))} replace state={ARRIVAL} /> : <Outlet />
}

/** Only for administrators. */
export function RequireAdmin() {
  const admin = useSession((state) => state.user?.perm.admin === true)
  return admin ? <Outlet /> : <Navigate to="/403" replace />
}

/** Guards the sign-in page: signed-in users continue to where they were going. */
export function RequireSignedOut() {
  useDocumentTitle()
  const signedIn = useSession((state) => state.user !== null)
  const query = useSearchParams()
  return signedIn ? <Navigate to={safeRedirect(query.get('redirect'))} replace state={ARRIVAL} /> : <Outlet />
}

/** State of the entry that follows the sign-in or the first minute. */
const ARRIVAL = { arrival: true }

/** What had the focus there is gone: the keyboard goes on in the content of the page. Not after a reload or Back. */
export function useFocusOnArrival(content: RefObject<HTMLElement | null>): void {
  const { state, navigationType } = useLocation()
  const isArrival = navigationType !== 'pop' && typeof state === 'object' && state !== null && 'arrival' in state
  useEffect(() => {
    if (isArrival && document.activeElement === document.body) content.current?.focus()
  }, [isArrival, content])
}
