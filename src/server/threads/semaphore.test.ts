import { describe, expect, it } from 'bun:test'
import { createSemaphore } from './semaphore.ts'

describe('turns', () => {
  it('are taken by so many at once, first come first served', async () => {
    const turns = createSemaphore(2)
    const order: number[] = []
    const all = [0, 1, 2, 3].map(async (one) => {
      const turn = await turns.acquire()
      order.push(one)
      return turn
    })
    const [first, second] = [await all[0], await all[1]]
    await new Promise((resolve) => setImmediate(resolve))
    expect(order).toEqual([0, 1])
    first?.[Symbol.dispose]()
    first?.[Symbol.dispose]()
    const third = await all[2]
    expect(order).toEqual([0, 1, 2])
    for (const turn of [second, third]) turn?.[Symbol.dispose]()
    await all[3]
    expect(order).toEqual([0, 1, 2, 3])
  })

  it('pass over whoever has left', async () => {
    const turns = createSemaphore(1)
    const first = await turns.acquire()
    const left = new AbortController()
    const second = turns.acquire(left.signal)
    const third = turns.acquire()
    left.abort()
    first[Symbol.dispose]()
    expect(
      await second.then(
        () => 'taken',
        () => 'left',
      ),
    ).toBe('left')
    ;(await third)[Symbol.dispose]()
    ;(await turns.acquire())[Symbol.dispose]()
  })
})
