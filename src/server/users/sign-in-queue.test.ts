import { describe, expect, it } from 'bun:test'
import { isAppError } from '../../shared/errors.ts'
import { createSignInQueue, type QueueEntry } from './sign-in-queue.ts'

const person = (subject: string, address: string | null = null): QueueEntry => ({ priority: 'people', subject, address })
const visitor = (subject: string, address: string | null = null): QueueEntry => ({ priority: 'links', subject, address })

describe('A5: the hashing queue', () => {
  it('A5: serves people before visitors of links, and visitors every fourth time at least', async () => {
    const { ask, serve, order } = hold()
    for (let i = 0; i < 4; i++) ask(visitor(`link ${i}`), `link ${i}`)
    for (let i = 0; i < 5; i++) ask(person(`account ${i}`), `person ${i}`)
    await serve(10)
    // The first one was begun before anybody else was there.
    expect(order).toEqual(['link 0', 'person 0', 'person 1', 'person 2', 'link 1', 'person 3', 'person 4', 'link 2', 'link 3'])
  })

  it('A5: serves the account that was served least first', async () => {
    const { ask, serve, order } = hold()
    for (let i = 0; i < 8; i++) ask(person('busy'), `busy ${i}`)
    ask(person('ann'), 'ann')
    await serve(1)
    expect(order).toEqual(['busy 0', 'ann'])
  })

  it('A5: serves the network that was served least first, even if it has many addresses', async () => {
    const { ask, serve, order } = hold()
    for (let i = 0; i < 40; i++) ask(person(`account ${i}`, `2001:db8:1:${i.toString(16)}::1`), `flood ${i}`)
    await serve(10)
    ask(person('ann', '203.0.113.1'), 'ann')
    await serve(1)
    expect(order.at(-1)).toBe('ann')
  })

  it('A5: refuses clients with too many waiting requests, and in a full queue those served most', async () => {
    const { ask, serve, order, refused } = hold()
    for (let i = 0; i < 30; i++) ask(visitor('one link'), `one link ${i}`)
    await serve(0)
    expect(refused.length).toBe(30 - 9)
    await serve(9)
    for (let i = 0; i < 200; i++) ask(visitor(`link ${i}`, `198.51.100.${i}`), `link ${i}`)
    ask(visitor('another link', '203.0.113.1'), 'newcomer')
    await serve(80)
    expect(refused).not.toContain('newcomer')
    expect(order).toContain('newcomer')
    expect(order.length).toBeLessThan(9 + 70)
  })

  it('A5: reserves one of two slots for people', async () => {
    const { ask, serve, order } = hold({ slots: 2 })
    for (let i = 0; i < 4; i++) ask(visitor(`link ${i}`), `link ${i}`)
    ask(person('ann'), 'ann')
    await serve(0)
    expect(order).toEqual(['link 0', 'ann'])
  })

  it('continues after a failed task', async () => {
    const queue = createSignInQueue({ slots: 1 })
    const failing = queue.run(person('a'), async () => Promise.reject(new Error('broken')))
    const next = queue.run(person('b'), async () => 'fine')
    expect(await failing.catch(() => 'failed')).toBe('failed')
    expect([await next, queue.load()]).toEqual(['fine', { running: 0, waiting: 0 }])
  })
})

/** Tasks that end one by one, when the test says so. */
function hold({ slots = 1 } = {}) {
  const queue = createSignInQueue({ slots, clock: () => 0 })
  const order: string[] = []
  const refused: string[] = []
  const ends: (() => void)[] = []
  return {
    order,
    refused,
    ask(turn: QueueEntry, name: string): void {
      const task = () => new Promise<void>((end) => (order.push(name), ends.push(end)))
      void queue
        .run(turn, task)
        .catch((error: unknown) => (isAppError(error, 'too-many-requests') ? refused.push(name) : Promise.reject(error)))
    },
    async serve(times: number): Promise<void> {
      await Bun.sleep(0)
      for (let i = 0; i < times; i++) {
        ends.shift()?.()
        await Bun.sleep(0)
      }
    },
  }
}
