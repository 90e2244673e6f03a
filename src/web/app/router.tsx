import { pageConfig } from '../data/page-config.ts'
import { dismissAllPrompts } from '../data/prompts.ts'
import { createHistory, type History } from '../router/history.ts'
import type { Route } from '../router/match.ts'
import { Navigate, useLocation } from '../router/router.tsx'
import { ErrorScreen } from '../screens/errors/error-screen.tsx'
import { NeedsNobody, NeedsUser } from './guards.tsx'
import { Layout } from './layout.tsx'
import { lazyScreen } from './lazy-screen.tsx'
import { RouteError } from './route-error.tsx'
import { settingsRoutes } from './settings-routes.tsx'
import { titled } from './title.ts'

export const loadFiles = async () => (await import('../screens/files/files-screen.tsx')).FilesScreen

export const loadLogin = async () => (await import('../screens/login/login-screen.tsx')).LoginScreen

const LoginScreen = lazyScreen(loadLogin, { first: true })
const FilesScreen = lazyScreen(loadFiles, { first: true })
const ShareFrame = lazyScreen(async () => (await import('./share-frame.tsx')).ShareFrame)
const ShareScreen = lazyScreen(async () => (await import('../screens/share/share-screen.tsx')).ShareScreen)

/** Every route of the product (spec §2). */
export const routes: readonly Route[] = [
  {
    element: <NeedsNobody />,
    failure: RouteError,
    children: [{ path: '/login', element: <LoginScreen />, title: titled('title.login') }],
  },
  {
    element: <ShareFrame />,
    failure: RouteError,
    children: [{ path: '/share/*', element: <ShareScreen />, failure: RouteError, title: titled('title.share') }],
  },
  {
    element: <Layout />,
    failure: RouteError,
    children: [
      {
        element: <NeedsUser />,
        children: [{ path: '/files/*', element: <FilesRoute />, failure: RouteError, title: titled('title.files') }, settingsRoutes],
      },
      { path: '/403', element: <ErrorScreen what="forbidden" />, title: titled('title.forbidden') },
      { path: '/404', element: <ErrorScreen what="not-found" />, title: titled('title.not-found') },
      { path: '/500', element: <ErrorScreen what="server" />, title: titled('title.server-error') },
      { path: '/*', element: <Elsewhere /> },
    ],
  },
]

/** The addresses of this instance. A new place closes the questions of the old one, before its own screen can put any. */
export function createAppHistory(): History {
  const history = createHistory(pageConfig.BaseURL)
  let { pathname } = history.location()
  history.subscribe(() => {
    const now = history.location().pathname
    if (now !== pathname) dismissAllPrompts()
    pathname = now
  })
  return history
}

function FilesRoute() {
  const { pathname, search, hash } = useLocation()
  if (pathname === '/files') return <Navigate to={`/files/${search}${hash}`} replace />
  return <FilesScreen />
}

/** Any other address is taken for a file's. */
function Elsewhere() {
  const { pathname, search, hash } = useLocation()
  return <Navigate to={`/files${pathname}${search}${hash}`} replace />
}
