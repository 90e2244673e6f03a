import { afterEach, describe, expect, it } from 'bun:test'
import { type Gesture, inOrder, isAnyRunning, isLater, now, registerUndoer, takeRecent, whenEnded, withGesture } from './undo.ts'

afterEach(async () => {
  for (const { end } of open.splice(0)) end()
  await whenEnded()
})

describe('what Ctrl+Z means', () => {
  it('is what the server knows if nothing runs', async () => {
    await done()
    expect(takeRecent()).toBe(null)
  })

  it('is the gesture that started last, also if it has ended before an older one', async () => {
    const older = start()
    const move = start()
    const deletion = start()
    move.end()
    await move.ended
    expect([takeRecent(), takeRecent(), takeRecent(), takeRecent()]).toEqual([deletion.gesture(), move.gesture(), older.gesture(), null])
    expect(isAnyRunning()).toBe(true)
  })

  it('is no gesture that has failed, or changed nothing', async () => {
    start()
    const failed = start()
    failed.fail()
    expect(await failed.ended).toBe(false)
    const unchanged = start()
    unchanged.end(false)
    expect(await unchanged.ended).toBe(false)
    expect(takeRecent()).toBe(open[0]?.gesture() ?? null)
    expect(takeRecent()).toBe(null)
  })

  it('is each gesture once', () => {
    const move = start()
    expect([move.gesture().take(), move.gesture().take()]).toEqual([true, false])
    expect(takeRecent()).toBe(null)
  })

  it('is nothing that started after the wish', () => {
    const before = start()
    const moment = now()
    const after = start()
    expect([before, after].map((one) => isLater(one.gesture().group, moment))).toEqual([false, true])
    expect(isLater('of another tab', moment)).toBe(false)
  })
})

describe('the order of undoing', () => {
  it('is the reverse of the starts, and what is newer waits for nothing', async () => {
    const order: string[] = []
    const slow = Promise.withResolvers<void>()
    const undo = (at: number, name: string, work: Promise<unknown> = Promise.resolve()) =>
      inOrder(at, async () => {
        await work
        order.push(name)
      })
    const undone = [undo(2, 'second', slow.promise), undo(1, 'first'), undo(0, 'what the server knows'), undo(0, 'what was before')]
    await undo(3, 'third')
    expect(order).toEqual(['third'])
    slow.resolve()
    await Promise.all(undone)
    expect(order).toEqual(['third', 'second', 'first', 'what the server knows', 'what was before'])
  })
})

describe('a gesture', () => {
  it('has a group of its own, a UUID that the server accepts', () => {
    const [one, another] = [start().gesture().group, start().gesture().group]
    expect(one).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(another).not.toBe(one)
  })

  it('is told of when it has changed something', async () => {
    let told = 0
    const nothing = () => undefined
    const stop = registerUndoer({ gesture: nothing, undo: nothing, redo: nothing, onDone: () => void told++ })
    await done()
    await done(false)
    stop()
    await done()
    expect(told).toBe(1)
  })
})

interface Started {
  readonly gesture: () => Gesture
  readonly ended: Promise<boolean>
  readonly end: (changed?: boolean) => void
  readonly fail: () => void
}

const open: Started[] = []

/** Starts a gesture that runs until it is ended. */
function start(): Started {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  let known: Gesture | null = null
  const all = withGesture(
    async (gesture) => {
      known = gesture
      return promise
    },
    (changed) => changed,
  )
  const gesture = (): Gesture => known ?? { group: '', order: 0, running: false, ended: Promise.resolve(false), take: () => false }
  const ended = all.then(
    () => gesture().ended,
    () => gesture().ended,
  )
  const started = { gesture, ended, end: (changed = true) => resolve(changed), fail: () => reject(new Error('refused')) }
  open.push(started)
  return started
}

async function done(changed = true): Promise<void> {
  const one = start()
  one.end(changed)
  await one.ended
}
