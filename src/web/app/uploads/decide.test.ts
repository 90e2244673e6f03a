import { describe, expect, it } from 'bun:test'
import { parseFilePath } from '../../../shared/file-path.ts'
import type { Conflict } from '../../data/uploads/conflicts.ts'
import { decide, isDecided, startDeciding, suggestion } from './decide.ts'

describe('deciding about taken names', () => {
  it('goes one by one, or answers all that are left', () => {
    const first = decide(startDeciding([file('/a'), file('/b'), file('/c')]), 'skip', { forRest: false })
    expect([first.at, isDecided(first)]).toEqual([1, false])
    const rest = decide(first, 'replace', { forRest: true })
    expect(isDecided(rest)).toBe(true)
    expect([...rest.answers.values()]).toEqual(['skip', 'replace', 'replace'])
  })

  it('never lets a file take the place of a folder', () => {
    const done = decide(startDeciding([file('/a'), folder('/b')]), 'replace', { forRest: true })
    expect([...done.answers.values()]).toEqual(['replace', 'keep-both'])
  })

  it('suggests to replace only with something newer', () => {
    expect(suggestion(file('/a', { incoming: 2, existing: 1 }))).toBe('replace')
    expect(suggestion(file('/a', { incoming: 1, existing: 2 }))).toBe('keep-both')
    expect(suggestion(folder('/a'))).toBe('keep-both')
  })
})

function file(path: string, { incoming, existing } = { incoming: 1, existing: 2 }): Conflict {
  return {
    path: parseFilePath(path),
    file: new File([], 'x', { lastModified: incoming }),
    existing: { size: 0, modified: existing, isFolder: false },
  }
}

function folder(path: string): Conflict {
  return { ...file(path, { incoming: 2, existing: 1 }), existing: { size: 0, modified: 1, isFolder: true } }
}
