import { expect, it } from 'bun:test'
import { createSemaphore } from './semaphore.ts'

it('starts a limited number, and the next when one has ended', async () => {
  const { acquire } = createSemaphore(2)
  const begun: string[] = []
  const ends = ['a', 'b', 'c', 'd'].map((name) => acquire(() => void begun.push(name)))
  expect(begun).toEqual(['a', 'b'])
  ends[0]?.()
  ends[0]?.()
  await Promise.resolve()
  expect(begun).toEqual(['a', 'b', 'c'])
})

it('skips callers that leave before their turn, even in the same tick', async () => {
  const { acquire } = createSemaphore(1)
  const begun: string[] = []
  const [first, second] = ['a', 'b', 'c'].map((name) => acquire(() => void begun.push(name)))
  first?.()
  second?.()
  await Promise.resolve()
  expect(begun).toEqual(['a', 'c'])
})

it('lets a caller release at once', async () => {
  const { acquire } = createSemaphore(1)
  const begun: string[] = []
  const end = acquire(() => void begun.push('a'))
  end()
  acquire(() => void begun.push('b'))
  await Promise.resolve()
  expect(begun).toEqual(['a', 'b'])
})
