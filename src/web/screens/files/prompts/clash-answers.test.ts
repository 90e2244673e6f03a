import { describe, expect, it } from 'bun:test'
import { parseFilePath } from '../../../../shared/file-path.ts'
import { answerClash, startRound } from './clash-answers.ts'

const a = parseFilePath('/a')
const b = parseFilePath('/b')
const c = parseFilePath('/c')

describe('a round of questions', () => {
  it('is answered one by one', () => {
    let round = startRound(clashes())
    round = answerClash(round, 'overwrite', { forRest: false })
    round = answerClash(round, 'skip', { forRest: false })
    expect([...round.answers]).toEqual([
      [a, 'overwrite'],
      [b, 'skip'],
    ])
    expect(round.at).toBe(2)
  })

  it('or for all that is left', () => {
    const round = answerClash(answerClash(startRound(clashes()), 'skip', { forRest: false }), 'rename', { forRest: true })
    expect([...round.answers.values()]).toEqual(['skip', 'rename', 'rename'])
    expect(round.at).toBe(3)
  })
})

function clashes() {
  const existing = {
    index: 0,
    path: parseFilePath('/x'),
    name: 'x',
    size: 1,
    modified: 1,
    type: 'blob',
    isDir: false,
    isLink: false,
  } as const
  return [a, b, c].map((from) => ({ from, name: 'x', existing, incoming: null }))
}
