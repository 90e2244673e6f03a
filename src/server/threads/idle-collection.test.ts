import { describe, expect, it } from 'bun:test'
import { createIdleCheck } from './idle-collection.ts'

describe('garbage collection when idle', () => {
  it('runs when work has ended, also after the start', () => {
    const thread = createThread()
    thread.work(600)
    expect(thread.collections).toBe(0)
    thread.work(0)
    expect(thread.collections).toBe(1)
    thread.work(2000)
    thread.work(2000)
    expect(thread.collections).toBe(1)
    thread.work(10)
    expect(thread.collections).toBe(2)
  })

  it('runs once after each burst of work, and never for occasional small work', () => {
    const thread = createThread()
    thread.work(600)
    for (let look = 0; look < 100; look++) thread.work(20)
    expect(thread.collections).toBe(1)
  })

  it('does not count its own work', () => {
    const thread = createThread({ collectingMs: 400 })
    thread.work(600)
    for (let look = 0; look < 5; look++) thread.work(0)
    expect(thread.collections).toBe(1)
  })
})

/** A thread that uses so much of the processor from one look to the next. */
function createThread({ collectingMs = 20 } = {}) {
  let used = 0
  let collections = 0
  const look = createIdleCheck({
    used: () => used,
    collect() {
      collections += 1
      used += collectingMs
    },
  })
  return {
    work(ms: number) {
      used += ms
      look()
    },
    get collections() {
      return collections
    },
  }
}
