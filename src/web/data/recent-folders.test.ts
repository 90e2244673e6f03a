import { afterAll, beforeEach, describe, expect, it } from 'bun:test'
import { parseFilePath, ROOT } from '../../shared/file-path.ts'
import { recordFolder, recentFolders } from './recent-folders.ts'
import { useSession } from './session.ts'
import { userFromToken } from './token.ts'

const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')

beforeEach(() => {
  globalThis.localStorage = fakeStorage()
  signIn(1)
})
afterAll(() => {
  // Not merely undefined: test-dom.ts looks for what the runtime has.
  Reflect.deleteProperty(globalThis, 'localStorage')
  if (before !== undefined) Object.defineProperty(globalThis, 'localStorage', before)
  useSession.setState({ user: null, ended: null })
})

describe('recent folders', () => {
  it('are the last eight, the latest first, each once, and never the root', () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'b']) recordFolder(parseFilePath(`/${name}`))
    recordFolder(ROOT)
    expect(recentFolders().join('')).toBe('/b/i/h/g/f/e/d/c')
  })

  it('are per user, and cleared on sign-out', () => {
    recordFolder(parseFilePath('/secret'))
    signIn(2)
    expect(recentFolders()).toEqual([])
    signIn(1)
    expect(recentFolders()).toEqual([parseFilePath('/secret')])
    useSession.setState({ user: null, ended: 'signed-out' })
    signIn(1)
    expect(recentFolders()).toEqual([])
  })

  it('are empty if the stored value is invalid', () => {
    localStorage.setItem('satchel-recent-folders', '{"user":1,"folders":["/../x",3]}')
    expect(recentFolders()).toEqual([])
  })
})

function signIn(id: number): void {
  const perm = { admin: false, execute: false, create: false, rename: false, modify: false, delete: false, share: false, download: false }
  const claims = { exp: 1, iat: 1, user: { id, viewMode: 'list', perm } }
  useSession.setState({ user: userFromToken(`a.${btoa(JSON.stringify(claims))}.c`), ended: null })
}

function fakeStorage(): Storage {
  const items = new Map<string, string>()
  return {
    length: 0,
    clear: () => items.clear(),
    key: () => null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}
