import { describe, expect, it } from 'bun:test'
import { createLook } from './rest.ts'

describe('the collecting at rest', () => {
  it('waits for the end of a spell of work, and the start is one', () => {
    const process = createProcess()
    process.work(600)
    expect(process.collections).toBe(0)
    process.work(0)
    expect(process.collections).toBe(1)
    process.work(2000)
    process.work(2000)
    expect(process.collections).toBe(1)
    process.work(10)
    expect(process.collections).toBe(2)
  })

  it('is done once after each spell, and never for a little now and then', () => {
    const process = createProcess()
    process.work(600)
    for (let look = 0; look < 100; look++) process.work(50)
    expect(process.collections).toBe(1)
  })

  it('does not take its own work for a spell', () => {
    const process = createProcess({ collectingMs: 400 })
    process.work(600)
    for (let look = 0; look < 5; look++) process.work(0)
    expect(process.collections).toBe(1)
  })
})

/** A process that uses so much of the processor between two looks. */
function createProcess({ collectingMs = 20 } = {}) {
  let used = 0
  let collections = 0
  const look = createLook({
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
