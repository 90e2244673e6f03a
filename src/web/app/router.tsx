import { createBrowserRouter, Navigate, useLocation } from 'react-router'
import { pageConfig } from '../data/page-config.ts'
import { dismissAllPrompts } from '../data/prompts.ts'
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

/** Every route of the product (spec §2). */
export function createRouter() {
  const router = createBrowserRouter(
    [
      {
        element: <NeedsNobody />,
        errorElement: <RouteError />,
        children: [{ path: '/login', element: <LoginScreen />, handle: titled('title.login') }],
      },
      {
        element: <Layout />,
        children: [
          {
            element: <NeedsUser />,
            children: [
              { path: '/files/*', element: <FilesRoute />, errorElement: <RouteError />, handle: titled('title.files') },
              settingsRoutes,
            ],
          },
          { path: '/403', element: <ErrorScreen what="forbidden" />, handle: titled('title.forbidden') },
          { path: '/404', element: <ErrorScreen what="not-found" />, handle: titled('title.not-found') },
          { path: '/500', element: <ErrorScreen what="server" />, handle: titled('title.server-error') },
          { path: '*', element: <Elsewhere /> },
        ],
        errorElement: <RouteError />,
      },
    ],
    { basename: pageConfig.BaseURL === '' ? '/' : pageConfig.BaseURL },
  )
  // A new place closes the questions of the old one, before its own screen can put any.
  let { pathname } = router.state.location
  router.subscribe(({ location }) => {
    if (location.pathname !== pathname) dismissAllPrompts()
    pathname = location.pathname
  })
  return router
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
