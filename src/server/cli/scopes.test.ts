import { describe, expect, it } from 'bun:test'
import { type Generation, readScope } from './scopes.ts'

const FOLDERS = new Set(['/srv/users/eve', '/home', '/mnt/films'])

describe('a stored scope', () => {
  it('is unchanged if it is relative', () => {
    expect([read('.', 'A'), read('./users/bob', 'A'), read('', 'B'), read('x', 'B')]).toEqual(['.', './users/bob', '.', 'x'])
  })

  it('of 2.17 becomes relative to the root if it is absolute, or is refused', () => {
    expect([read('/srv', 'A'), read('/srv/users/bob', 'A')]).toEqual(['/', '/users/bob'])
    expect(read('/srv-other', 'A')).toBe('refused')
    expect([read('/', 'A'), read('/home', 'A'), read('/srv/../etc', 'A')]).toEqual(['refused', 'refused', 'refused'])
  })

  it('of 2.63 is below the root, unless it is clearly another path of this machine', () => {
    expect([read('/', 'B'), read('/users/eve', 'B'), read('/users/new', 'B')]).toEqual(['/', '/users/eve', '/users/new'])
    expect(read('/mnt/films', 'B')).toBe('refused')
  })

  it('can be relative to an older root', () => {
    const scope = readScope('/data/bob', { root: '/srv', oldRoot: '/data', generation: 'A', isFolder })
    expect(scope).toEqual({ scope: '/bob' })
  })
})

const isFolder = (path: string): boolean => FOLDERS.has(path)

function read(scope: string, generation: Generation): string {
  const result = readScope(scope, { root: '/srv', oldRoot: null, generation, isFolder })
  return 'scope' in result ? result.scope : 'refused'
}
