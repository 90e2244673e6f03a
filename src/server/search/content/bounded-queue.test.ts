import { expect, it } from 'bun:test'
import fc from 'fast-check'
import { createBoundedQueue } from './bounded-queue.ts'

it('every item is taken once, with any number of producers and consumers and any capacity', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(60), { maxLength: 3 }), fc.integer({ min: 1, max: 4 }), fc.nat(5), async (counts, takers, room) => {
      const stock = createBoundedQueue<string>(new AbortController().signal, { room: room + 1 })
      const taken: string[] = []
      const make = async (maker: number, count: number) => {
        for (let n = 0; n < count; n++) await stock.put(`${maker} ${n}`)
      }
      const use = async () => {
        for (let some = await stock.take(3); some.length > 0; some = await stock.take(3)) {
          taken.push(...some)
          await new Promise((resolve) => void setImmediate(resolve))
        }
      }
      const using = Array.from({ length: takers }, use)
      await Promise.all(counts.map((count, maker) => make(maker, count)))
      stock.close()
      await Promise.all(using)
      const all = counts.flatMap((count, maker) => Array.from({ length: count }, (_, n) => `${maker} ${n}`))
      expect(taken.toSorted()).toEqual(all.toSorted())
    }),
    { numRuns: 40 },
  )
})

it('waiting consumers are notified when it is aborted', async () => {
  const calling = new AbortController()
  const stock = createBoundedQueue<number>(calling.signal, { room: 1 })
  await stock.put(1)
  const full = stock.put(2)
  calling.abort()
  await expect(full).rejects.toMatchObject({ name: 'AbortError' })
  await expect(stock.take(1)).rejects.toMatchObject({ name: 'AbortError' })
})
