import type { ComponentType, ReactNode } from 'react'

/** A route, or a layout route around others. */
export interface Route {
  /** The full path; a trailing `*` matches the rest. Layout routes have none. */
  readonly path?: string
  readonly element: ReactNode
  /** Preloads the route's code. */
  readonly preload?: () => Promise<unknown>
  /** Rendered instead when the route or its children throw. */
  readonly errorElement?: ComponentType<{ error: unknown }>
  /** The document's title. */
  readonly title?: () => string
  readonly children?: readonly Route[]
}

/** The matched route and its layouts, outermost first; the first match wins; null if none matches. A trailing slash is ignored. */
export function match(routes: readonly Route[], pathname: string): readonly Route[] | null {
  for (const route of routes) {
    if (route.path !== undefined && matches(route.path, pathname)) return [route]
    const below = route.children && match(route.children, pathname)
    if (below) return [route, ...below]
  }
  return null
}

function matches(path: string, pathname: string): boolean {
  const address = pathname.endsWith('/') ? pathname : `${pathname}/`
  return path.endsWith('*') ? address.startsWith(path.slice(0, -1)) : address === `${path}/`
}
