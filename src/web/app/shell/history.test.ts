import { expect, it } from 'bun:test'
import { NO_HISTORY, remember, walk } from './history.ts'

it('the arrows walk back and forth over what was run, to what one was typing', () => {
  const history = ['ls', 'ls', 'cat a'].reduce(remember, NO_HISTORY)
  const back = walk(history, -1, 'ec')
  expect(back?.text).toBe('cat a')
  const further = walk(back?.history ?? history, -1, 'cat a')
  expect(further?.text).toBe('ls')
  expect(walk(further?.history ?? history, -1, 'ls')).toBe(null)
  const forth = walk(further?.history ?? history, 1, 'ls')
  expect(forth?.text).toBe('cat a')
  const draft = walk(forth?.history ?? history, 1, 'cat a')
  expect(draft?.text).toBe('ec')
  expect(walk(draft?.history ?? history, 1, 'ec')).toBe(null)
})
