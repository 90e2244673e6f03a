import { Navigate, Outlet, useLocation, useSearchParams } from '../router/router.tsx'
import { safeRedirect } from '../data/paths.ts'
import { LOGOUT_URL, useSession } from '../data/session.ts'
import { useDocumentTitle } from './title.ts'

/** Signed-out visitors go to the sign-in page, which brings them back here; so does a session that ends in the middle. */
export function NeedsUser() {
  const signedIn = useSession((state) => state.user !== null)
  const { pathname, search, hash } = useLocation()
  const left = useSession((state) => state.ended === 'wished')
  if (signedIn) return <Outlet />
  // Who signs out wants out, not back here.
  if (left && LOGOUT_URL !== null) return null
  if (left) return <Navigate to="/login" replace />
  return <Navigate to={`/login?redirect=${encodeURIComponent(pathname + search + hash)}`} replace />
}

/** For people with the admin right. */
export function NeedsAdmin() {
  const admin = useSession((state) => state.user?.perm.admin === true)
  return admin ? <Outlet /> : <Navigate to="/403" replace />
}

/** The sign-in page: who is signed in, or has just become so, goes on to where they wanted to be. */
export function NeedsNobody() {
  useDocumentTitle()
  const signedIn = useSession((state) => state.user !== null)
  const query = useSearchParams()
  return signedIn ? <Navigate to={safeRedirect(query.get('redirect'))} replace /> : <Outlet />
}
