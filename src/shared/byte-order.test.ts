import { expect, it } from 'bun:test'
import { orderByBytes } from './byte-order.ts'
import { packNames } from './packed-names.ts'

it('R17: names are put in the order of their bytes in portions, with time for others between them', async () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `${['b', 'é', '文', 'a'][at % 4]}${(at * 7919) % 20_000}`)
  let pauses = 0
  const pause = async (): Promise<void> => void pauses++
  const order = await orderByBytes(packNames(names), pause)
  const sorted = [...order].map((index) => names[index] ?? '')
  expect(sorted).toEqual(names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
  expect(pauses).toBe(5)
})

it('one name or none is in order', async () => {
  for (const names of [[], ['a']]) {
    const order = await orderByBytes(names, async () => undefined)
    expect([...order]).toEqual([...names.keys()])
  }
})
