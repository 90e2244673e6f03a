import { expect, it } from 'bun:test'
import { createLatest } from './latest.ts'

it('a lookup that started before a change does not answer a query after it', async () => {
  let changes = 0
  const answers: ((value: string) => void)[] = []
  const ask = (): Promise<string> => new Promise((resolve) => answers.push(resolve))
  const latest = createLatest('first', ask, {
    version: () => ({ changes, writes: 0, at: 0 }),
    isFresh: (mark) => mark.changes === changes,
  })
  changes = 1
  const before = latest()
  changes = 2
  const after = latest()
  answers[1]?.('new')
  answers[0]?.('old')
  expect([await before, await after, await latest()]).toEqual(['old', 'new', 'new'])
})
