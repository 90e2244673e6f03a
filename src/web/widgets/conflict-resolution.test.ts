import { describe, expect, it } from 'bun:test'
import { alsoFor, choicesFor, type Conflict, decide, startResolution, suggestion } from './conflict-resolution.ts'

const ALLOWED = { mayReplace: true }

describe('deciding about taken names', () => {
  it('goes one by one, or answers all that are left', () => {
    const first = decide(startResolution([file('a'), file('b'), file('c')]), 'skip')
    expect(first.open.map(({ key }) => key)).toEqual(['b', 'c'])
    const rest = decide(first, 'replace', alsoFor(first, 'replace', ALLOWED))
    expect(rest.open).toEqual([])
    expect([...rest.answers]).toEqual([
      ['a', 'skip'],
      ['b', 'replace'],
      ['c', 'replace'],
    ])
  })

  it('asks again about a folder in the place of a file, rather than to replace it', () => {
    const round = startResolution([file('a'), folderInTheWay('b'), file('c')])
    const answered = decide(round, 'replace', alsoFor(round, 'replace', ALLOWED))
    expect(answered.open.map(({ key }) => key)).toEqual(['b'])
    expect(choicesFor(folderInTheWay('b'), ALLOWED)).toEqual(['keep-both', 'skip'])
  })

  it('lets only newer ones replace, and leaves the others where they are', () => {
    const round = startResolution([file('old', { incoming: 1, existing: 2 }), file('same', { incoming: 2, existing: 2 }), file('new')])
    expect([...decide(round, 'only-newer', alsoFor(round, 'only-newer', ALLOWED)).answers]).toEqual([
      ['old', 'skip'],
      ['same', 'skip'],
      ['new', 'replace'],
    ])
  })

  it('merges folders, which are neither newer nor older', () => {
    const { existing } = folderInTheWay('a')
    expect(choicesFor({ ...folderInTheWay('a'), incoming: existing }, ALLOWED)).toEqual(['keep-both', 'replace', 'skip'])
  })

  it('offers no replacement where what is there stays', () => {
    expect(choicesFor({ ...file('a'), incoming: null }, ALLOWED)).toEqual(['keep-both', 'replace', 'skip'])
    expect(choicesFor({ ...file('a'), incoming: null, keepsExisting: true }, ALLOWED)).toEqual(['keep-both', 'skip'])
  })

  it('offers no replacement without the permission', () => {
    expect(choicesFor(file('a'), { mayReplace: false })).toEqual(['keep-both', 'skip'])
    expect(suggestion(startResolution([file('a')]), { mayReplace: false })).toBe('keep-both')
  })

  it('suggests to replace only with something newer, and of many only those that are', () => {
    const suggested = (...conflicts: Conflict<string>[]) => suggestion(startResolution(conflicts), ALLOWED)
    expect(suggested(file('a', { incoming: 2, existing: 1 }))).toBe('replace')
    expect(suggested(file('a', { incoming: 2, existing: 1 }), file('b'))).toBe('only-newer')
    expect(suggested(file('a', { incoming: 1, existing: 2 }))).toBe('keep-both')
    expect(suggested(folderInTheWay('a'))).toBe('keep-both')
    expect(suggested({ ...file('a'), incoming: null })).toBe('keep-both')
  })
})

function file(key: string, { incoming, existing } = { incoming: 2, existing: 1 }): Conflict<string> {
  const version = { isFolder: false, size: 0, picture: null }
  return { key, name: key, existing: { ...version, modified: existing }, incoming: { ...version, modified: incoming } }
}

function folderInTheWay(key: string): Conflict<string> {
  const { existing, ...rest } = file(key)
  return { ...rest, existing: { ...existing, isFolder: true } }
}
