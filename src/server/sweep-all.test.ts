import { expect, it } from 'bun:test'
import { sweepAll } from './sweep-all.ts'

it('B5: a failed sweep is logged by name, and the others run', async () => {
  const done: string[] = []
  const lines: string[] = []
  const note = (name: string) => async () => void done.push(name)
  await sweepAll({ first: note('first'), broken: () => Promise.reject(new Error('no')), last: note('last') }, (line) => lines.push(line))
  expect(done).toEqual(['first', 'last'])
  expect(lines).toEqual(['sweeping broken failed: Error: no'])
})
