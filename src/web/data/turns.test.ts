import { expect, it } from 'bun:test'
import { createTurns } from './turns.ts'

it('lets so many begin, and the next when one has ended', () => {
  const { take } = createTurns(2)
  const begun: string[] = []
  const ends = ['a', 'b', 'c', 'd'].map((name) => take(() => void begun.push(name)))
  expect(begun).toEqual(['a', 'b'])
  ends[0]?.()
  ends[0]?.()
  expect(begun).toEqual(['a', 'b', 'c'])
})

it('passes over who has left before the turn came', () => {
  const { take } = createTurns(1)
  const begun: string[] = []
  const [first, second] = ['a', 'b', 'c'].map((name) => take(() => void begun.push(name)))
  second?.()
  first?.()
  expect(begun).toEqual(['a', 'c'])
})

it('lets one begin who ends at once', () => {
  const { take } = createTurns(1)
  const begun: string[] = []
  const end = take(() => void begun.push('a'))
  end()
  take(() => void begun.push('b'))
  expect(begun).toEqual(['a', 'b'])
})
