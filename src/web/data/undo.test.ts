import { withDocument } from '../test-dom.ts'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { useSession } from './session.ts'
import { userFromToken } from './token.ts'
import { canUndo, forgetUndo, rememberUndo, takeUndo, type Undoable } from './undo.ts'

withDocument()

beforeEach(() => signIn(1))
afterEach(() => {
  sessionStorage.clear()
  useSession.setState({ user: null, ended: null })
})

const MOVE: Undoable = { run: () => undefined }

describe('what Ctrl+Z takes back', () => {
  it('is the latest operation, each once', () => {
    rememberUndo({ group: 'a' })
    rememberUndo(MOVE)
    expect([takeUndo(), takeUndo(), takeUndo()]).toEqual([MOVE, { group: 'a' }, null])
    expect(canUndo()).toBe(false)
  })

  it('is not what the button of a notice has taken back', () => {
    const deletion = { group: 'a' }
    rememberUndo(MOVE)
    rememberUndo(deletion)
    forgetUndo(deletion)
    expect(takeUndo()).toBe(MOVE)
  })

  it('are after a reload the deletions that nothing else has followed', () => {
    rememberUndo({ group: 'before' })
    rememberUndo(MOVE)
    rememberUndo({ group: 'a' })
    rememberUndo({ group: 'b' })
    reload()
    expect([takeUndo(), takeUndo(), takeUndo()]).toEqual([{ group: 'b' }, { group: 'a' }, null])
    reload()
    expect(canUndo()).toBe(false)
  })

  it('are no operations of another user of this tab', () => {
    rememberUndo({ group: 'a' })
    signIn(2)
    expect(canUndo()).toBe(false)
    useSession.setState({ user: null, ended: 'signed-out' })
    signIn(1)
    expect(canUndo()).toBe(false)
  })

  it('is nothing where the stored value is invalid', () => {
    for (const value of ['{', '3', '{"user":1}']) {
      sessionStorage.setItem('satchel-undo', value)
      reload()
      expect(canUndo()).toBe(false)
    }
  })
})

/** What is in memory belongs to the user who was there before. */
function reload(): void {
  signIn(9)
  canUndo()
  signIn(1)
}

function signIn(id: number): void {
  const perm = { admin: false, execute: false, create: false, rename: false, modify: false, delete: false, share: false, download: false }
  const claims = { exp: 1, iat: 1, user: { id, viewMode: 'list', perm } }
  useSession.setState({ user: userFromToken(`a.${btoa(JSON.stringify(claims))}.c`), ended: null })
}
