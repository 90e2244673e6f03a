import { expect, it } from 'bun:test'
import { createGate } from './gate.ts'

it('lets only so many in at a time, in turn, whatever becomes of them', async () => {
  const gate = createGate(2)
  let inside = 0
  let most = 0
  const order: number[] = []
  const job = (number: number) => async () => {
    most = Math.max(most, ++inside)
    await Bun.sleep(1)
    order.push(number)
    inside--
    if (number % 3 === 0) throw new Error('failed')
    return number
  }
  const results = await Promise.allSettled(Array.from({ length: 10 }, (_, i) => gate(job(i))))
  expect([most, inside, order]).toEqual([2, 0, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]])
  expect(results.filter((result) => result.status === 'rejected')).toHaveLength(4)
})
