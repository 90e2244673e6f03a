import { expect, it } from 'bun:test'
import { NO_HISTORY, pushLine, stepHistory } from './history.ts'

it('the arrow keys move through previous commands and back to the current input', () => {
  const history = ['ls', 'ls', 'cat a'].reduce(pushLine, NO_HISTORY)
  const back = stepHistory(history, -1, 'ec')
  expect(back?.text).toBe('cat a')
  const further = stepHistory(back?.history ?? history, -1, 'cat a')
  expect(further?.text).toBe('ls')
  expect(stepHistory(further?.history ?? history, -1, 'ls')).toBe(null)
  const forth = stepHistory(further?.history ?? history, 1, 'ls')
  expect(forth?.text).toBe('cat a')
  const draft = stepHistory(forth?.history ?? history, 1, 'cat a')
  expect(draft?.text).toBe('ec')
  expect(stepHistory(draft?.history ?? history, 1, 'ec')).toBe(null)
})
