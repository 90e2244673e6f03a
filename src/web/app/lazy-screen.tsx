import { type ComponentType, lazy, Suspense, useState } from 'react'
import { inTime } from '../data/chunks.ts'
import { pageConfig } from '../data/page-config.ts'
import { loadLateMessages } from '../i18n/i18n.tsx'
import type { Route } from '../router/match.ts'
import { RouteError } from './route-error.tsx'
import { ScreenLoading } from './screen-loading.tsx'

/** A screen whose code is loaded when it is first shown, or preloaded with `fetch`. */
export type LazyScreen<Props extends object> = ComponentType<Props> & { fetch: () => Promise<unknown> }

/** With `first`, the screen needs only the messages of the first page; all other screens also load the rest. */
export function lazyScreen<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { first = false }: { first?: boolean } = {},
): LazyScreen<Props> {
  // Render synchronously if the code is loaded; otherwise React shows the Suspense fallback for a minimum time.
  let here: ComponentType<Props> | null = null
  const fetch = async () => {
    const [screen] = await inTime(Promise.all([load(), first ? undefined : loadLateMessages()]))
    here = screen
    return screen
  }
  function LazyScreen(props: Props) {
    // State of the component above the Suspense boundary, so that each attempt gets a new lazy component; a lazy component caches its failure.
    const [Screen] = useState(() => here ?? lazy(async () => ({ default: await fetch() })))
    return (
      <Suspense fallback={<ScreenLoading />}>
        <Screen {...props} />
      </Suspense>
    )
  }
  return Object.assign(LazyScreen, { fetch })
}

/** A route that shows a lazy screen: preloaded, and with its own error page. The result type makes misspelled fields an error, which spreading hides. */
export function lazyRoute<Props extends object>(Screen: LazyScreen<Props>, props: Props): Route {
  return { element: <Screen {...props} />, preload: Screen.fetch, errorElement: RouteError }
}

/** Longer than browsers take to cancel pending requests on navigation. */
const LEAVING_MS = 1000

/** After an upgrade an old page requests files that no longer exist. Reloads the page, once per build. */
export function reloadOnceAfterUpgrade(): void {
  // Firefox reports requests that it cancels on navigation as errors; a reload would then prevent the navigation.
  let leaving = false
  addEventListener('beforeunload', () => {
    leaving = true
    // The navigation may have been cancelled.
    setTimeout(() => (leaving = false), LEAVING_MS)
  })
  // The URL of this file contains the hash of the build.
  const build = import.meta.url
  const isToReload = () => !leaving && navigator.onLine && sessionStorage.getItem('reloaded') !== build
  const reload = async (): Promise<void> => {
    // If the server is unreachable, keep the current page.
    if (!isToReload() || !(await isServerThere()) || !isToReload()) return
    sessionStorage.setItem('reloaded', build)
    location.reload()
  }
  addEventListener('vite:preloadError', () => void reload())
}

async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch(`${pageConfig.BaseURL}/health`, { cache: 'no-store' })).ok
  } catch {
    return false
  }
}
