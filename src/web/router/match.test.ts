import { describe, expect, it } from 'bun:test'
import { match, type Route } from './match.ts'

const routes: Route[] = [
  { path: '/login', element: 'login' },
  {
    element: 'frame',
    children: [
      { path: '/files/*', element: 'files' },
      { element: 'settings', children: ['/settings', '/settings/users', '/settings/users/*'].map((path) => ({ path, element: path })) },
      { path: '/*', element: 'elsewhere' },
    ],
  },
]

describe('the route of a URL', () => {
  it.each([
    ['/login', ['login']],
    ['/login/', ['login']],
    ['/files', ['frame', 'files']],
    ['/files/', ['frame', 'files']],
    ['/files/a/b%2Fc', ['frame', 'files']],
    ['/settings', ['frame', 'settings', '/settings']],
    ['/settings/users/', ['frame', 'settings', '/settings/users']],
    ['/settings/users/7', ['frame', 'settings', '/settings/users/*']],
  ])('%s has its frames', (pathname, elements) => {
    expect(match(routes, pathname)?.map(({ element }) => element)).toEqual(elements)
  })

  it.each(['/', '/filesystem', '/Login', '/settings/unknown', '//login'])('%s does not match', (pathname) => {
    expect(match(routes, pathname)?.at(-1)?.element).toBe('elsewhere')
  })

  it('is null if nothing matches the rest', () => {
    expect(match(routes.slice(0, 1), '/other')).toBeNull()
  })
})
