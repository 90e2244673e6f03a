import { withDocument } from '../test-dom.ts'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { useSession } from './session.ts'
import { userFromToken } from './token.ts'
import { canUndo, type Gesture, takeLatest, type Undoable, undoInOrder, withGesture } from './undo.ts'

withDocument()

beforeEach(() => signIn(1))
afterEach(() => {
  sessionStorage.clear()
  useSession.setState({ user: null, ended: null })
})

const MOVE: Undoable = { run: () => Promise.resolve() }

describe('what Ctrl+Z takes back', () => {
  it('is the latest gesture, each once', async () => {
    const deletion = await done({ group: 'a' })
    await done(MOVE)
    expect([await latest(), await latest(), await latest()]).toEqual([MOVE, { group: 'a' }, null])
    expect(canUndo()).toBe(false)
    expect(deletion.take()).toBe(false)
  })

  it('is not what the button of a notice has taken back', async () => {
    await done(MOVE)
    const deletion = await done({ group: 'a' })
    expect(deletion.take()).toBe(true)
    expect(await latest()).toBe(MOVE)
  })

  it('is the gesture that started last, also while it runs', async () => {
    const move = start()
    const deletion = start()
    move.end(MOVE)
    await move.promise
    expect(canUndo()).toBe(true)
    const taken = latest()
    deletion.end({ group: 'a' })
    expect(await taken).toEqual({ group: 'a' })
    expect(await latest()).toBe(MOVE)
  })

  it('is nothing if the gesture that was meant fails or cannot be taken back, and then the one before', async () => {
    await done({ group: 'before' })
    for (const end of ['end', 'fail'] as const) {
      const gesture = start()
      const taken = latest()
      gesture[end]()
      await gesture.promise.catch(() => undefined)
      expect(await taken).toBe(null)
    }
    expect(await latest()).toEqual({ group: 'before' })
  })

  it('is not what has failed before', async () => {
    await done({ group: 'before' })
    const gesture = start()
    gesture.fail()
    await gesture.promise.catch(() => undefined)
    await done(null)
    expect(await latest()).toEqual({ group: 'before' })
    expect(canUndo()).toBe(false)
  })

  it('is taken back in the reverse order of the starts, and waits for nothing else', async () => {
    const order: string[] = []
    const first = start()
    const second = start()
    const slow = Promise.withResolvers<undefined>()
    const undo = (gesture: Gesture | null, name: string, work = Promise.resolve()) =>
      gesture &&
      undoInOrder(gesture, async () => {
        await work
        order.push(name)
      })
    const undone = [undo(takeLatest(), 'second', slow.promise), undo(takeLatest(), 'first')]
    const third = start()
    const last = undo(takeLatest(), 'third')
    first.end(MOVE)
    third.end(MOVE)
    await last
    expect(order).toEqual(['third'])
    second.end(MOVE)
    await second.promise
    slow.resolve(undefined)
    await Promise.all(undone)
    expect(order).toEqual(['third', 'second', 'first'])
  })

  it('are after a reload the deletions that nothing else has followed', async () => {
    await done({ group: 'before' })
    await done(MOVE)
    await done({ group: 'a' })
    await done({ group: 'b' })
    const move = start()
    reload()
    expect(canUndo()).toBe(false)
    move.end()
    await move.promise
    await done({ group: 'c' })
    reload()
    expect([await latest(), await latest()]).toEqual([{ group: 'c' }, null])
    reload()
    expect(canUndo()).toBe(false)
  })

  it('are after a reload also the deletions before a gesture that did nothing', async () => {
    await done({ group: 'a' })
    await done(null)
    await done({ group: 'b' })
    reload()
    expect([await latest(), await latest(), await latest()]).toEqual([{ group: 'b' }, { group: 'a' }, null])
  })

  it('are no gestures of another user of this tab', async () => {
    await done({ group: 'a' })
    const running = start()
    signIn(2)
    expect(canUndo()).toBe(false)
    running.end({ group: 'b' })
    await running.promise
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

/** Starts a gesture that runs until it is ended. */
function start() {
  const { promise, resolve, reject } = Promise.withResolvers<Undoable | null>()
  const ended = withGesture(async (gesture) => {
    const undoable = await promise
    if (undoable !== null) gesture.offer(undoable)
    return gesture
  })
  return { end: (undoable: Undoable | null = null) => resolve(undoable), fail: () => reject(new Error('refused')), promise: ended }
}

function done(undoable: Undoable | null): Promise<Gesture> {
  const { end, promise } = start()
  end(undoable)
  return promise
}

async function latest(): Promise<Undoable | null> {
  return (await takeLatest()?.ended) ?? null
}

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
