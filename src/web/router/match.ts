import type { ComponentType, ReactNode } from 'react'

/** A place of the product, or a frame around some. */
export interface Route {
  /** The whole address; a `*` at its end takes the rest. A frame has none. */
  readonly path?: string
  readonly element: ReactNode
  /** Brings its code ahead of it. */
  readonly preload?: () => Promise<unknown>
  /** Shown in its place when it, or what it frames, throws. */
  readonly errorElement?: ComponentType<{ error: unknown }>
  /** The document's title. */
  readonly title?: () => string
  readonly children?: readonly Route[]
}

/** From the outermost frame to the place of an address, the first in the order written; null where there is none. A slash at the end says nothing. */
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
