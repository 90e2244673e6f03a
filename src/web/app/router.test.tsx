import { withDocument } from '../test-dom.ts'
import { expect, it } from 'bun:test'
import { isValidElement, type ReactNode } from 'react'
import type { Route } from '../router/match.ts'
import { RouteError } from './route-error.tsx'
import { routes } from './router.tsx'

withDocument()

it('every lazy screen and layout is preloaded with its route, and fails without taking the layout around it along', () => {
  const known = all(routes)
  const lazy = known.filter(({ path, element }) => path === '/files/*' || isLazy(element))
  // The layout twice, the settings and their fourteen pages, six places, a link and its layout, sign-in, a password link, the sign-in of another program and welcome.
  expect(lazy).toHaveLength(29)
  const incomplete = lazy.filter(({ preload, errorElement }) => preload === undefined || errorElement !== RouteError)
  expect(incomplete.map(({ path = 'a layout' }) => path)).toEqual([])
})

function isLazy(element: ReactNode): boolean {
  return isValidElement(element) && typeof element.type === 'function' && 'fetch' in element.type
}

function all(among: readonly Route[]): Route[] {
  return among.flatMap((route) => [route, ...all(route.children ?? [])])
}
