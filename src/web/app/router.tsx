import { useEffect } from 'react'
import { pageConfig } from '../data/page-config.ts'
import { dismissAllPrompts } from '../data/prompts.ts'
import { createHistory, type History } from '../router/history.ts'
import { match, type Route } from '../router/match.ts'
import { IS_ELSEWHERE, HOME_URL } from '../data/share-context.ts'
import { Navigate, Outlet, useLocation } from '../router/router.tsx'
import { openLayers } from '../ui/use-back-to-close.ts'
import { ErrorScreen } from '../screens/errors/error-screen.tsx'
import { RequireSignedOut, RequireUser, RequireWelcome } from './guards.tsx'
import { type LazyScreen, lazyRoute, lazyScreen } from './lazy-screen.tsx'
import { settingsRoutes } from './settings-routes.tsx'
import { type RouteTitle, titled } from './title.ts'

const LoginScreen = lazyScreen(async () => (await import('../screens/login/login-screen.tsx')).LoginScreen, { first: true })
const PasswordScreen = lazyScreen(async () => (await import('../screens/password/password-screen.tsx')).PasswordScreen)
const ConnectScreen = lazyScreen(async () => (await import('../screens/connect/connect-screen.tsx')).ConnectScreen)
const WelcomeScreen = lazyScreen(async () => (await import('../screens/welcome/welcome-screen.tsx')).WelcomeScreen)
const Layout = lazyScreen(async () => (await import('./layout.tsx')).Layout, { first: true })
const FilesScreen = lazyScreen(async () => (await import('../screens/files/files-screen.tsx')).FilesScreen, { first: true })
const FavouritesScreen = lazyScreen(async () => (await import('../screens/places/favourites-screen.tsx')).FavouritesScreen)
const RecentScreen = lazyScreen(async () => (await import('../screens/places/recent-screen.tsx')).RecentScreen)
const TrashScreen = lazyScreen(async () => (await import('../screens/trash/trash-screen.tsx')).TrashScreen)
const SharedScreen = lazyScreen(async () => (await import('../screens/settings/shares/shared-screen.tsx')).SharedScreen)
const WithMeScreen = lazyScreen(async () => (await import('../screens/places/with-me-screen.tsx')).WithMeScreen)
const ShareFrame = lazyScreen(async () => (await import('./share-layout.tsx')).ShareLayout, { first: true })
const ShareScreen = lazyScreen(async () => (await import('../screens/share/share-screen.tsx')).ShareScreen, { first: true })

const layout = lazyRoute(Layout, {})

/** All routes of the application. */
export const routes: readonly Route[] = [
  { element: <RequireSignedOut />, children: [route('/login', LoginScreen, 'title.login')] },
  route('/password', PasswordScreen, 'title.password-link'),
  { element: <RequireWelcome />, children: [route('/welcome', WelcomeScreen, 'title.welcome')] },
  { ...lazyRoute(ShareFrame, {}), children: [route('/share/*', ShareScreen, 'title.share')] },
  {
    element: <RequireUser />,
    children: [
      { element: <OwnPlaces />, children: [route('/connect/*', ConnectScreen, 'title.connect')] },
      {
        ...layout,
        children: [
          { ...route('/files/*', FilesScreen, 'title.files'), element: <FilesRoute /> },
          {
            element: <OwnPlaces />,
            children: [
              route('/favourites', FavouritesScreen, 'title.favourites'),
              route('/recent', RecentScreen, 'title.recent'),
              route('/trash', TrashScreen, 'title.trash'),
              route('/shared', SharedScreen, 'title.by-me'),
              route('/with-me', WithMeScreen, 'title.with-me'),
              settingsRoutes,
            ],
          },
        ],
      },
    ],
  },
  {
    ...layout,
    children: [
      { path: '/403', element: <ErrorScreen what="forbidden" />, title: titled('title.forbidden') },
      { path: '/404', element: <ErrorScreen what="not-found" />, title: titled('title.not-found') },
      { path: '/500', element: <ErrorScreen what="server" />, title: titled('title.server-error') },
    ],
  },
  { path: '/*', element: <Elsewhere /> },
]

function route(path: string, Screen: LazyScreen<object>, title: RouteTitle): Route {
  return { ...lazyRoute(Screen, {}), path, title: titled(title) }
}

/** Preloads the code of a route and its layouts. Failures are ignored here: the route loads its code again and reports them. */
export async function preloadRoute(pathname: string): Promise<void> {
  const fetches = (match(routes, pathname) ?? []).flatMap(({ preload }) => preload ?? [])
  await Promise.allSettled(fetches.map((fetch) => fetch()))
}

/** The history of this instance. Back closes what is open first. Navigation closes open dialogs before the new screen can open its own. */
export function createAppHistory(): History {
  const history = createHistory(pageConfig.BaseURL, window, openLayers)
  let { pathname } = history.location()
  history.subscribe(() => {
    const now = history.location().pathname
    if (now !== pathname) dismissAllPrompts()
    pathname = now
  })
  return history
}

/** Within a share there are only files: everything else is at the user's own address. */
function OwnPlaces() {
  const { pathname, search } = useLocation()
  useEffect(() => {
    if (IS_ELSEWHERE) location.replace(HOME_URL + pathname + search)
  }, [pathname, search])
  return IS_ELSEWHERE ? null : <Outlet />
}

function FilesRoute() {
  const { pathname, search, hash } = useLocation()
  if (pathname === '/files') return <Navigate to={`/files/${search}${hash}`} replace />
  return <FilesScreen />
}

/** Any other address is treated as a path of the files area. */
function Elsewhere() {
  const { pathname, search, hash } = useLocation()
  return <Navigate to={`/files${pathname}${search}${hash}`} replace />
}
