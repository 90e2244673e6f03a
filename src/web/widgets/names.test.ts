import { describe, expect, it } from 'bun:test'
import { nameProblem, stemLength, withEnding } from './names.ts'

describe('a typed name', () => {
  it('is validated after trimming', () => {
    expect(nameProblem('  a  ', (name) => name === 'a')).toBe('taken')
    expect(nameProblem('   ', free)).toBe('empty')
  })

  it('is refused if it would be another path', () => {
    expect(['.', '..', 'a/b', 'a\0b'].map((name) => nameProblem(name, free))).toEqual(['dots', 'dots', 'slash', 'nul'])
  })

  it('can be unusual', () => {
    for (const name of ['100%', 'a#b?', '...', 'trailing.', '写真', '👩‍👩‍👧', 'a\\b']) expect(nameProblem(name, free)).toBeNull()
  })

  it('has at most 255 bytes', () => {
    expect(nameProblem('x'.repeat(255), free)).toBeNull()
    expect(nameProblem('写'.repeat(86), free)).toBe('long')
  })
})

describe('renaming', () => {
  it('selects the stem', () => {
    const chosen = (name: string, isDir = false) => name.slice(0, stemLength(name, { isDir }))
    expect(chosen('photo.jpg')).toBe('photo')
    expect(chosen('backup.tar.gz')).toBe('backup')
    expect(chosen('.profile')).toBe('.profile')
    expect(chosen('v1.2', true)).toBe('v1.2')
    expect(chosen('README')).toBe('README')
  })
})

it('an extension is added only once', () => {
  expect(['photos', 'photos.ZIP', 'v1.2', 'a.zip.txt'].map((name) => withEnding(name, 'zip'))).toEqual([
    'photos.zip',
    'photos.ZIP',
    'v1.2.zip',
    'a.zip.txt.zip',
  ])
})

function free(): boolean {
  return false
}
